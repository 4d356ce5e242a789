import { readFile } from "node:fs/promises";
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { StaticContent } from "../../caching/static-content.ts";
import icon from "./icon.svg" with { type: "file" };
import startScript from "./start.js" with { type: "file" };
import ownStyles from "./style.css" with { type: "file" };

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
