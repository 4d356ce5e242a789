/** The same as `jsx-runtime.ts` under the name that Bun asks for outside of production. */
export { Fragment, jsxDEV } from "./preact.js";
