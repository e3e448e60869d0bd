import { createApp, h, ref } from "vue";

const box = "width: 160px; height: 40px; background: #cde";
const veil = "position: fixed; inset: 0; background: #fff";

createApp({
  setup() {
    const name = ref("");
    const menu = ref(false);
    const asked = ref(false);
    return () => [
      h("div", { onClick: (e) => say("div", e) }, "Plain div"),
      h("ul", ["One", "Two", "Three"].map((row) => h("li", { key: row, onClick: (e) => say(`row ${row}`, e) }, row))),
      h("label", ["Name ", h("input", { value: name.value, onInput: (e) => { name.value = e.target.value; say(`name ${name.value}`, e); } })]),
      h("label", [h("input", { type: "checkbox", onChange: (e) => say("agree", e) }), " Agree"]),
      h("select", { "aria-label": "Port", onChange: (e) => say(`port ${e.target.value}`, e) }, [h("option", "Oslo"), h("option", "Bergen")]),
      h("label", [h("input", { type: "radio", name: "rig", onChange: (e) => say("sail", e) }), " Sail"]),
      h("label", ["Day ", h("input", { type: "date", onInput: (e) => say(`day ${e.target.value}`, e) })]),
      h("div", { onDblclick: (e) => say("twice", e) }, "Twice"),
      h("div", { tabindex: 0, onKeydown: (e) => say(`knob ${e.key}`, e) }, "Knob"),
      h("div", { style: box, draggable: true, onDragstart: (e) => e.dataTransfer.setData("text", "it") }, "Parcel"),
      h("div", { style: box, onDragover: (e) => e.preventDefault(), onDrop: (e) => say("van", e) }, "Van"),
      h("div", { onMouseenter: () => { menu.value = true; }, onMouseleave: () => { menu.value = false; } },
        ["Products", menu.value ? h("p", { onClick: (e) => say("ropes", e) }, "Ropes") : null]),
      h("button", { onClick: () => { asked.value = true; } }, "More"),
      asked.value ? h("div", { role: "dialog", style: veil },
        h("span", { onClick: (e) => { say("confirm", e); asked.value = false; } }, "Confirm")) : null,
    ];
  },
}).mount("#app");
