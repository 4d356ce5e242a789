// Declared in preact.d.ts: Preact's own declarations would bring a browser's globals into the server's code.
export { h } from "preact";
export { Fragment, jsx, jsxDEV, jsxs } from "preact/jsx-runtime";
export { renderToString } from "preact-render-to-string";
