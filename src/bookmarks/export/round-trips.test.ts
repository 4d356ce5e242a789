import { expect, test } from "bun:test";
import {
  exportFromChromium,
  importIntoChromium,
  type Node,
} from "../../../test/support/files/chromium-bookmarks.ts";
import { startApp } from "../../../test/support/server/app.ts";
import { importBookmarks } from "../../transfer/import/import-bookmarks.ts";
import { stageImport } from "../../transfer/stage-bookmarks.ts";
import { exportNetscape } from "./export-bookmarks.ts";

/** Imports a file into an empty library and exports it again. */
async function throughHere(file: string): Promise<string> {
  const app = await startApp();
  try {
    using staged = await stageImport("file", Buffer.from(file), { now: new Date(), tags: true });
    await importBookmarks(app.database, staged, "skip");
    let html = "";
    for await (const piece of exportNetscape(app.database.read, () => {})) html += piece;
    return html;
  } finally {
    await app.close();
  }
}

const TOOLBAR: Node[] = [
  { name: "first" },
  { name: "Dev", inner: [{ name: "js" }, { name: "PHP", inner: [{ name: "psr" }] }, { name: "zig" }] },
  { name: "second" },
  { name: "Art", inner: [{ name: "comics" }] },
];
const OTHER: Node[] = [
  { name: "loose" },
  { name: "Zoo", inner: [{ name: "zebra" }] },
  { name: "Attic", inner: [{ name: "box" }] },
];

test("round trips through Chromium keep the order of folders and add none", async () => {
  const imported = importIntoChromium(await throughHere(exportFromChromium(TOOLBAR, OTHER)));
  // The folder that Chromium itself creates for bookmarks outside the toolbar.
  const expected = [...TOOLBAR, { name: "Imported", inner: OTHER }];
  expect(imported).toEqual(expected);
  expect(importIntoChromium(await throughHere(exportFromChromium(imported, [])))).toEqual(expected);
});

test("so do round trips through Firefox, which ignores the toolbar mark", async () => {
  // Its importer honors the mark only for its own defaults (BookmarkHTMLUtils, _isImportDefaults).
  const first = await throughHere(exportFromChromium(TOOLBAR, OTHER));
  const forgotten = first.replaceAll(' PERSONAL_TOOLBAR_FOLDER="true"', "");
  expect(forgotten).not.toBe(first);
  // The time of the last change is that of each import.
  const timeless = (html: string) => html.replaceAll(/ LAST_MODIFIED="\d+"/g, "");
  expect(timeless(await throughHere(forgotten))).toBe(timeless(first));
});

test("the toolbar is marked in any language and for every source format", async () => {
  const german = exportFromChromium(TOOLBAR, []).replace("Bookmarks bar", "Lesezeichenleiste");
  expect(await throughHere(german)).toContain('<H3 PERSONAL_TOOLBAR_FOLDER="true">Lesezeichenleiste</H3>');
  const link = { name: "x", type: "url", url: "https://example.com/" };
  const bar = { name: "Barra", type: "folder", children: [link] };
  const json = JSON.stringify({ roots: { bookmark_bar: bar, other: { children: [] } }, version: 1 });
  expect(await throughHere(json)).toContain('<H3 PERSONAL_TOOLBAR_FOLDER="true">Barra</H3>');
});
