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
