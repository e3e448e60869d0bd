import { createApp, h, ref } from "vue";

createApp({
  setup() {
    const name = ref("");
    return () => [
      h("div", { onClick: (e) => say("div", e) }, "Plain div"),
      h("ul", ["One", "Two", "Three"].map((row) => h("li", { key: row, onClick: (e) => say(`row ${row}`, e) }, row))),
      h("label", ["Name ", h("input", { value: name.value, onInput: (e) => { name.value = e.target.value; say(`name ${name.value}`, e); } })]),
      h("label", [h("input", { type: "checkbox", onChange: (e) => say("agree", e) }), " Agree"]),
      h("select", { "aria-label": "Port", onChange: (e) => say(`port ${e.target.value}`, e) }, [h("option", "Oslo"), h("option", "Bergen")]),
    ];
  },
}).mount("#app");
