/**
 * The JSX runtime of the pages: Preact's, with declarations of our own, whose attributes are those that
 * `elements.ts` lists. `tsconfig.json` names it as `jsxImportSource`.
 */
export { Fragment, type JSX, jsx, jsxs } from "./preact.js";
