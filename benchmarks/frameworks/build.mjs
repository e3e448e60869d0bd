// Builds one page per framework into built/: the same twelve controls, written in each framework's own way.
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { transformAsync } from "@babel/core";
import { build } from "esbuild";
import { compile } from "svelte/compiler";

const solid = {
  name: "solid",
  setup: (to) => to.onLoad({ filter: /solid\.jsx$/ }, async ({ path }) => {
    const made = await transformAsync(await readFile(path, "utf8"), { filename: path, presets: ["babel-preset-solid"] });
    return { contents: made.code, loader: "js" };
  }),
};
const svelte = {
  name: "svelte",
  setup: (to) => to.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
    const made = compile(await readFile(path, "utf8"), { filename: path, generate: "client" });
    return { contents: made.js.code, loader: "js" };
  }),
};

await mkdir("built", { recursive: true });
for (const name of ["react.jsx", "vue.js", "svelte.js", "solid.jsx", "lit.js", "jquery.js"]) {
  const made = await build({
    entryPoints: [`pages/${name}`], bundle: true, minify: true, write: false, format: "iife", conditions: ["browser"],
    plugins: [solid, svelte], jsx: "automatic", loader: { ".css": "text" },
    define: { "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
  });
  const code = made.outputFiles[0].text.replaceAll("</script", "<\\/script");
  const say = "window.say = (what, e) => fetch('/hit?' + encodeURIComponent(what + ' ' + e.isTrusted))";
  const page = `<!DOCTYPE html><title>${name}</title><body><div id=app></div><script>${say}</script><script>${code}</script>`;
  await writeFile(`built/${name.split(".")[0]}.html`, page);
}
