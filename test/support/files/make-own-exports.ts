import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportCsv, exportNetscape } from "../../../src/bookmarks/export/export-bookmarks.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { nothingWritten, writeArchive } from "../../../src/transfer/archive/write-archive.ts";
import { noneWritten, writeFullJson } from "../../../src/transfer/full-json/write-full-json.ts";
import { makeAccount } from "../records/accounts.ts";
import { temporaryFolder } from "../server/server.ts";
import { archiveOf } from "./archive-file.ts";
import { type ArchivedSite, archivedImage } from "./archived-site.ts";
import { importBytes } from "./imported-site.ts";

/**
 * Writes a file in each of our own formats, for `test/data/own-exports/VERSION`. Each has a record of each
 * kind, with a value in every member. Usage: `npx bun test/support/files/make-own-exports.ts FOLDER`.
 */

const WHEN = "2026-11-21T06:40:12.345Z";
const LATER = "2026-11-22T10:00:00.001Z";
const times = { created_at: WHEN, updated_at: LATER, created_by: "ada" };

function siteWith(image: ArchivedSite["image"][number]): ArchivedSite {
  const picture = `/media/${image.sha}.${image.type}`;
  return {
    setting: [
      { name: "links", value: [{ text: "Archive", url: "/archive" }], updated_at: WHEN },
      { name: "name", value: "Slow fruit", updated_at: WHEN },
      { name: "styleSheet", value: "h1 { color: teal }\n", updated_at: WHEN },
    ],
    tag: [{ id: 3, name: "C#", created_at: WHEN }],
    image: [image],
    icon: [],
    picture: [],
    mark: [],
    bookmark: [
      {
        ...{
          id: 2,
          title: "Quinces & 日本",
          url: "https://kitchen.example/quinces?a=b#c",
          version: 4,
          ...times,
        },
        ...{ description: "A note.\n#fruit #Dev/JS #C#", folders: ["Kitchen", "A/B"] },
        ...{ unread: true, archived: true, shared: true, states_updated_at: LATER },
      },
      { id: 5, title: "", url: "https://bun.sh/", description: "", ...times, folders: [] },
    ],
    post: [
      {
        ...{ id: 7, title: "First light", content: `Hello.\n\n![](${picture})`, published: true, version: 3 },
        ...{ ...times, published_at: WHEN, former_slugs: ["dawn"], redirects: ["/2019/05/first-light"] },
        publication: {
          ...{ kind: "link", link: "https://example.org/", slug: "first-light", summary: "In short." },
          ...{ tags: ["Notes", "C#"], publish_at: null, language: "en", image: picture },
          canonical_url: "https://example.com/first",
        },
        properties: { weight: [5] },
      },
      {
        ...{
          id: 8,
          title: "Soon",
          content: "Later.",
          published: false,
          published_at: null,
          version: 1,
          ...times,
        },
        publication: { kind: "page", slug: "soon", tags: [], publish_at: "9000-01-01T00:00:00.000Z" },
      },
    ],
    version: [
      {
        ...{ post: 7, number: 1, title: "Dawn", content: "Hi.", published: false },
        ...{ replaced_at: WHEN, replaced_by: "ada" },
      },
    ],
    comment: [
      { id: 9, post: 7, author: "Bo", text: "Welcome!\nTwice.", status: "shown", created_at: WHEN },
      { id: 11, post: 7, author: "Cy", text: "Buy", status: "waiting", created_at: WHEN, reasons: "links" },
    ],
    copy: [],
    edit: [
      {
        ...{ key: "00000000-0000-4000-8000-000000000001", post: 7, base_version: 3, title: "First light" },
        ...{ content: "Hello again.", fields: { tags: "Notes" }, version: 2, ...times },
      },
    ],
  };
}

const [folder = "own-exports"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
using temporary = temporaryFolder();
const database = await openDatabase(`sqlite:${temporary.file("site.db")}`);
await makeAccount(database, "ada");
const { record, files } = await archivedImage(40);
await importBytes(database, await archiveOf(siteWith(record), files));
const texts = {
  "everything.json": writeFullJson(database.read, noneWritten()),
  "bookmarks.html": exportNetscape(database.read, () => {}),
  "bookmarks.csv": exportCsv(database.read, () => {}),
};
for (const [name, pieces] of Object.entries(texts))
  writeFileSync(join(folder, name), (await Array.fromAsync(pieces)).join(""));
const archive = writeArchive(database.read, "sqlite", nothingWritten(), new Date(LATER));
writeFileSync(join(folder, "everything.zip"), Buffer.concat(await Array.fromAsync(archive)));
await database.close();
