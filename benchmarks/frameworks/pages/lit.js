import { LitElement, html, nothing } from "lit";

const box = "width: 160px; height: 40px; background: #cde";
const veil = "position: fixed; inset: 0; background: #fff";

class Desk extends LitElement {
  static properties = { menu: { state: true }, asked: { state: true } };

  render() {
    return html`
      <div @click=${(e) => say("div", e)}>Plain div</div>
      <ul>${["One", "Two", "Three"].map((row) => html`<li @click=${(e) => say(`row ${row}`, e)}>${row}</li>`)}</ul>
      <label>Name <input @input=${(e) => say(`name ${e.target.value}`, e)}></label>
      <label><input type="checkbox" @change=${(e) => say("agree", e)}> Agree</label>
      <select aria-label="Port" @change=${(e) => say(`port ${e.target.value}`, e)}><option>Oslo<option>Bergen</select>
      <label><input type="radio" name="rig" @change=${(e) => say("sail", e)}> Sail</label>
      <label>Day <input type="date" @input=${(e) => say(`day ${e.target.value}`, e)}></label>
      <div @dblclick=${(e) => say("twice", e)}>Twice</div>
      <div tabindex="0" @keydown=${(e) => say(`knob ${e.key}`, e)}>Knob</div>
      <div style=${box} draggable="true" @dragstart=${(e) => e.dataTransfer.setData("text", "it")}>Parcel</div>
      <div style=${box} @dragover=${(e) => e.preventDefault()} @drop=${(e) => say("van", e)}>Van</div>
      <div @mouseenter=${() => { this.menu = true; }} @mouseleave=${() => { this.menu = false; }}>Products
        ${this.menu ? html`<p @click=${(e) => say("ropes", e)}>Ropes</p>` : nothing}</div>
      <button @click=${() => { this.asked = true; }}>More</button>
      ${this.asked ? html`<div role="dialog" style=${veil}>
        <span @click=${(e) => { say("confirm", e); this.asked = false; }}>Confirm</span></div>` : nothing}`;
  }
}
customElements.define("a-desk", Desk);
document.getElementById("app").append(document.createElement("a-desk"));
