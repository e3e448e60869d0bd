import { useState } from "react";
import { createRoot } from "react-dom/client";

function App() {
  const [name, setName] = useState("");
  const [port, setPort] = useState("Oslo");
  return <>
    <div onClick={(e) => say("div", e.nativeEvent)}>Plain div</div>
    <ul>{["One", "Two", "Three"].map((row) => <li key={row} onClick={(e) => say(`row ${row}`, e.nativeEvent)}>{row}</li>)}</ul>
    <label>Name <input value={name} onChange={(e) => { setName(e.target.value); say(`name ${e.target.value}`, e.nativeEvent); }} /></label>
    <label><input type="checkbox" onChange={(e) => say("agree", e.nativeEvent)} /> Agree</label>
    <select aria-label="Port" value={port} onChange={(e) => { setPort(e.target.value); say(`port ${e.target.value}`, e.nativeEvent); }}>
      <option>Oslo</option><option>Bergen</option></select>
  </>;
}
createRoot(document.getElementById("app")).render(<App />);
