import jQuery from "./globals.js";
import "jquery-ui/ui/version.js";
import "jquery-ui/ui/keycode.js";
import "jquery-ui/ui/widget.js";
import "jquery-ui/ui/position.js";
import "jquery-ui/ui/unique-id.js";
import "jquery-ui/ui/labels.js";
import "jquery-ui/ui/form-reset-mixin.js";
import "jquery-ui/ui/widgets/menu.js";
import "jquery-ui/ui/widgets/selectmenu.js";

const app = jQuery("#app").html(`<div class="plain">Plain div</div><ul><li>One<li>Two<li>Three</ul>
  <label>Name <input id="name"></label><label><input type="checkbox" id="agree"> Agree</label>
  <label for="port">Port</label><select id="port"><option>Oslo<option>Bergen</select>`);
app.on("click", ".plain", (e) => say("div", e.originalEvent));
jQuery(document).on("click", "#app > ul > li", (e) => say(`row ${e.target.textContent.trim()}`, e.originalEvent));
jQuery("#name").on("input", (e) => say(`name ${e.target.value}`, e.originalEvent));
jQuery("#agree").on("change", (e) => say("agree", e.originalEvent));
jQuery("#port").selectmenu({ change: (e, told) => {
  let first = e;
  while (first.originalEvent) first = first.originalEvent;
  say(`port ${told.item.value}`, first);
} });
