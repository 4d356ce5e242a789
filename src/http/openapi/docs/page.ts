import { readFile } from "node:fs/promises";
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { StaticContent } from "../../caching/static-content.ts";
import icon from "./icon.svg" with { type: "file" };
import startScript from "./start.js" with { type: "file" };
import ownStyles from "./style.css" with { type: "file" };

/**
 * The frame of the documentation page, whose content comes from `/openapi.json`.
 * @param site the name of the site, which leads to its front page; undefined if it has no pages
 */
export function docsPage(site: string | undefined): string {
  const home = site && `<header><a href="/" dir="auto">${Bun.escapeHTML(site)}</a></header>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Commonplace · API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/style.css">
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body>${home ? `\n    ${home}` : ""}
    <div id="docs">
      <noscript>
        <p>This page needs JavaScript. What it shows is the document at <a href="/openapi.json">/openapi.json</a>.</p>
      </noscript>
    </div>
  </body>
</html>
`;
}

/**
 * The page may load its own files, the `data:` images in Swagger UI's style sheet, and responses of this server. It allows no
 * inline script or style, no eval and no other host.
 */
export const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** All files of the documentation page, by their names under `/docs/`. */
export const docsFiles: ReadonlyMap<string, StaticContent> = new Map([
  ["swagger-ui-bundle.js", file(bundle, "text/javascript; charset=utf-8")],
  ["swagger-ui.css", file(styles, "text/css; charset=utf-8")],
  ["start.js", file(startScript, "text/javascript; charset=utf-8")],
  ["style.css", file(ownStyles, "text/css; charset=utf-8")],
  ["icon.svg", file(icon, "image/svg+xml")],
]);

/** @param path on disk, or inside a one-file executable, as the runtime resolves the import */
function file(path: string, contentType: string): StaticContent {
  return new StaticContent({ load: () => readFile(path), contentType });
}
