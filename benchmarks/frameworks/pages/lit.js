import { LitElement, html } from "lit";

class Desk extends LitElement {
  render() {
    return html`
      <div @click=${(e) => say("div", e)}>Plain div</div>
      <ul>${["One", "Two", "Three"].map((row) => html`<li @click=${(e) => say(`row ${row}`, e)}>${row}</li>`)}</ul>
      <label>Name <input @input=${(e) => say(`name ${e.target.value}`, e)}></label>
      <label><input type="checkbox" @change=${(e) => say("agree", e)}> Agree</label>
      <select aria-label="Port" @change=${(e) => say(`port ${e.target.value}`, e)}><option>Oslo<option>Bergen</select>`;
  }
}
customElements.define("a-desk", Desk);
document.getElementById("app").append(document.createElement("a-desk"));
