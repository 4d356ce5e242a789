import { afterAll, beforeAll, expect, test } from "bun:test";
import { create } from "../../../test/support/records/bookmarks.ts";
import { startApp, type TestApp } from "../../../test/support/server/app.ts";
import { importBookmarks } from "../../transfer/import/import-bookmarks.ts";
import type { ExistingRule } from "../../transfer/import/plan-bookmarks.ts";
import { stageImport } from "../../transfer/stage-bookmarks.ts";
import { exportNetscape } from "./export-bookmarks.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function importHtml(body: string, existing: ExistingRule): Promise<void> {
  const html = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${body}</DL>`;
  const staged = await stageImport("test.html", Buffer.from(html), { now: new Date(), tags: false });
  await importBookmarks(app.database, staged, existing);
}

const link = (name: string, title = name) => `<DT><A HREF="https://example.com/${name}">${title}</A>`;
const folder = (name: string, ...contents: string[]) =>
  `<DT><H3>${name}</H3><DL><p>${contents.join("")}</DL>`;

/** The folders and titles of an export, indented by two spaces for each level. */
async function outline(): Promise<string[]> {
  let html = "";
  for await (const piece of exportNetscape(app.database.read, () => {})) html += piece;
  const lines = html.split("\n").filter((line) => line.includes("<DT>"));
  return lines.map((line) => {
    const [, indent = "", name] = /^( *)<DT>.*>([^<]*)<\/(?:A|H3)>$/.exec(line) ?? [];
    return `${" ".repeat(indent.length / 2 - 2)}${name}`;
  });
}

test("Each folder is written once, in the order of the file, after the bookmarks without a file", async () => {
  await importHtml(
    [
      folder("A", link("a"), folder("B", link("b"))),
      folder("C", folder("D", link("d"))),
      folder("A", folder("B", link("b2")), link("a2"), folder("A", link("aa"))),
      link("none"),
    ].join(""),
    "add",
  );
  await create(app.request, { title: "own" });
  const expected = [
    "own",
    "A",
    "  a",
    "  B",
    "    b",
    "    b2",
    "  a2",
    "  A",
    "    aa",
    "C",
    "  D",
    "    d",
    "none",
  ];
  expect(await outline()).toEqual(expected);

  // An import that does not change a bookmark does not move it; one that changes it does.
  await importHtml(folder("E", link("a"), link("e")), "skip");
  expect(await outline()).toEqual([...expected, "E", "  e"]);
  await importHtml(folder("C", link("a", "changed")), "update");
  const without = expected.filter((line) => line !== "  a");
  expect(await outline()).toEqual(
    without.flatMap((line) => (line === "    d" ? ["    d", "  changed"] : line)).concat("E", "  e"),
  );
});
