import { useState } from "react";
import { createRoot } from "react-dom/client";

const box = { width: 160, height: 40, background: "#cde" };
const veil = { position: "fixed", inset: 0, background: "#fff" };

function App() {
  const [name, setName] = useState("");
  const [port, setPort] = useState("Oslo");
  const [menu, setMenu] = useState(false);
  const [asked, setAsked] = useState(false);
  return <>
    <div onClick={(e) => say("div", e.nativeEvent)}>Plain div</div>
    <ul>{["One", "Two", "Three"].map((row) => <li key={row} onClick={(e) => say(`row ${row}`, e.nativeEvent)}>{row}</li>)}</ul>
    <label>Name <input value={name} onChange={(e) => { setName(e.target.value); say(`name ${e.target.value}`, e.nativeEvent); }} /></label>
    <label><input type="checkbox" onChange={(e) => say("agree", e.nativeEvent)} /> Agree</label>
    <select aria-label="Port" value={port} onChange={(e) => { setPort(e.target.value); say(`port ${e.target.value}`, e.nativeEvent); }}>
      <option>Oslo</option><option>Bergen</option></select>
    <label><input type="radio" name="rig" onChange={(e) => say("sail", e.nativeEvent)} /> Sail</label>
    <label>Day <input type="date" onChange={(e) => say(`day ${e.target.value}`, e.nativeEvent)} /></label>
    <div onDoubleClick={(e) => say("twice", e.nativeEvent)}>Twice</div>
    <div tabIndex={0} onKeyDown={(e) => say(`knob ${e.key}`, e.nativeEvent)}>Knob</div>
    <div style={box} draggable onDragStart={(e) => e.dataTransfer.setData("text", "it")}>Parcel</div>
    <div style={box} onDragOver={(e) => e.preventDefault()} onDrop={(e) => say("van", e.nativeEvent)}>Van</div>
    <div onMouseEnter={() => setMenu(true)} onMouseLeave={() => setMenu(false)}>Products
      {menu && <p onClick={(e) => say("ropes", e.nativeEvent)}>Ropes</p>}</div>
    <button onClick={() => setAsked(true)}>More</button>
    {asked && <div role="dialog" style={veil}>
      <span onClick={(e) => { say("confirm", e.nativeEvent); setAsked(false); }}>Confirm</span></div>}
  </>;
}
createRoot(document.getElementById("app")).render(<App />);
