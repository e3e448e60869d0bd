import { For, Show, createSignal } from "solid-js";
import { render } from "solid-js/web";

const box = "width: 160px; height: 40px; background: #cde";

function App() {
  const [name, setName] = createSignal("");
  const [menu, setMenu] = createSignal(false);
  const [asked, setAsked] = createSignal(false);
  return <>
    <div onClick={(e) => say("div", e)}>Plain div</div>
    <ul><For each={["One", "Two", "Three"]}>{(row) => <li onClick={(e) => say(`row ${row}`, e)}>{row}</li>}</For></ul>
    <label>Name <input value={name()} onInput={(e) => { setName(e.target.value); say(`name ${e.target.value}`, e); }} /></label>
    <label><input type="checkbox" onChange={(e) => say("agree", e)} /> Agree</label>
    <select aria-label="Port" onChange={(e) => say(`port ${e.target.value}`, e)}><option>Oslo</option><option>Bergen</option></select>
    <label><input type="radio" name="rig" onChange={(e) => say("sail", e)} /> Sail</label>
    <label>Day <input type="date" onInput={(e) => say(`day ${e.target.value}`, e)} /></label>
    <div onDblClick={(e) => say("twice", e)}>Twice</div>
    <div tabIndex={0} onKeyDown={(e) => say(`knob ${e.key}`, e)}>Knob</div>
    <div style={box} draggable={true} onDragStart={(e) => e.dataTransfer.setData("text", "it")}>Parcel</div>
    <div style={box} onDragOver={(e) => e.preventDefault()} onDrop={(e) => say("van", e)}>Van</div>
    <div onMouseEnter={() => setMenu(true)} onMouseLeave={() => setMenu(false)}>Products
      <Show when={menu()}><p onClick={(e) => say("ropes", e)}>Ropes</p></Show></div>
    <button onClick={() => setAsked(true)}>More</button>
    <Show when={asked()}><div role="dialog" style="position: fixed; inset: 0; background: #fff">
      <span onClick={(e) => { say("confirm", e); setAsked(false); }}>Confirm</span></div></Show>
  </>;
}
render(() => <App />, document.getElementById("app"));
