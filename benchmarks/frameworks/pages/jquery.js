import jQuery from "./globals.js";
import "jquery-ui/ui/version.js";
import "jquery-ui/ui/keycode.js";
import "jquery-ui/ui/widget.js";
import "jquery-ui/ui/position.js";
import "jquery-ui/ui/unique-id.js";
import "jquery-ui/ui/labels.js";
import "jquery-ui/ui/data.js";
import "jquery-ui/ui/plugin.js";
import "jquery-ui/ui/scroll-parent.js";
import "jquery-ui/ui/focusable.js";
import "jquery-ui/ui/tabbable.js";
import "jquery-ui/ui/disable-selection.js";
import "jquery-ui/ui/form-reset-mixin.js";
import "jquery-ui/ui/widgets/menu.js";
import "jquery-ui/ui/widgets/selectmenu.js";
import "jquery-ui/ui/widgets/mouse.js";
import "jquery-ui/ui/widgets/draggable.js";
import "jquery-ui/ui/widgets/droppable.js";
import "jquery-ui/ui/widgets/resizable.js";
import "jquery-ui/ui/widgets/controlgroup.js";
import "jquery-ui/ui/widgets/checkboxradio.js";
import "jquery-ui/ui/widgets/button.js";
import "jquery-ui/ui/widgets/dialog.js";
import core from "jquery-ui/themes/base/core.css";
import dialog from "jquery-ui/themes/base/dialog.css";
import menu from "jquery-ui/themes/base/menu.css";
import selectmenu from "jquery-ui/themes/base/selectmenu.css";

jQuery("<style>").text(core + menu + selectmenu + dialog + ".ui-menu { width: 160px }").appendTo(document.head);
const box = "width: 160px; height: 40px; background: #cde";
const app = jQuery("#app").html(`<div class="plain">Plain div</div><ul class="rows"><li>One<li>Two<li>Three</ul>
  <label>Name <input id="name"></label><label><input type="checkbox" id="agree"> Agree</label>
  <label for="port">Port</label><select id="port"><option>Oslo<option>Bergen</select>
  <label><input type="radio" id="sail"> Sail</label> <label>Day <input type="date" id="day"></label>
  <div class="twice">Twice</div><div class="knob" tabindex="0">Knob</div>
  <div id="parcel" style="${box}">Parcel</div><div id="van" style="${box}">Van</div>
  <ul id="menu"><li><div>Products</div><ul><li><div>Ropes</div></ul></ul>
  <button id="more">More</button><div id="ask" title="A question"><span class="confirm">Confirm</span></div>`);
const first = (e) => {
  while (e.originalEvent) e = e.originalEvent;
  return e;
};
app.on("click", ".plain", (e) => say("div", first(e)));
jQuery(document).on("click", "#app > ul.rows > li", (e) => say(`row ${e.target.textContent.trim()}`, first(e)));
jQuery("#name").on("input", (e) => say(`name ${e.target.value}`, first(e)));
jQuery("#agree").on("change", (e) => say("agree", first(e)));
jQuery("#port").selectmenu({ change: (e, told) => say(`port ${told.item.value}`, first(e)) });
jQuery("#sail").checkboxradio().on("change", (e) => say("sail", first(e)));
jQuery("#day").on("input", (e) => say(`day ${e.target.value}`, first(e)));
app.on("dblclick", ".twice", (e) => say("twice", first(e)));
app.on("keydown", ".knob", (e) => say(`knob ${e.key}`, first(e)));
jQuery("#parcel").draggable({ revert: true });
jQuery("#van").droppable({ drop: (e) => say("van", first(e)) });
jQuery("#menu").menu({ select: (e, told) => say(told.item.text().trim().toLowerCase(), first(e)) });
jQuery("#ask").dialog({ autoOpen: false, modal: true });
jQuery("#more").on("click", () => jQuery("#ask").dialog("open"));
jQuery(document).on("click", ".confirm", (e) => { say("confirm", first(e)); jQuery("#ask").dialog("close"); });
