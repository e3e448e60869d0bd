import { For, createSignal } from "solid-js";
import { render } from "solid-js/web";

function App() {
  const [name, setName] = createSignal("");
  return <>
    <div onClick={(e) => say("div", e)}>Plain div</div>
    <ul><For each={["One", "Two", "Three"]}>{(row) => <li onClick={(e) => say(`row ${row}`, e)}>{row}</li>}</For></ul>
    <label>Name <input value={name()} onInput={(e) => { setName(e.target.value); say(`name ${e.target.value}`, e); }} /></label>
    <label><input type="checkbox" onChange={(e) => say("agree", e)} /> Agree</label>
    <select aria-label="Port" onChange={(e) => say(`port ${e.target.value}`, e)}><option>Oslo</option><option>Bergen</option></select>
  </>;
}
render(() => <App />, document.getElementById("app"));
