import { commandName } from "../../../command-name.ts";

const number = (count: number) => count.toLocaleString("en");

/** The names of records, for one and for several. */
const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  post: ["Post", "Posts"],
  image: ["Image", "Images"],
  comment: ["Comment", "Comments"],
  bookmark: ["Link", "Links"],
  version: ["Earlier version", "Earlier versions"],
  edit: ["Text in progress", "Texts in progress"],
  tag: ["Tag", "Tags"],
  setting: ["Setting", "Settings"],
  file: ["File", "Files"],
};

/** Importing a blog. */
export const blogImport = {
  title: "Import a blog",
  intro:
    "Choose an export of Ghost (JSON) or WordPress (XML), a zip or tar.gz of the Markdown of Hugo, Jekyll, Astro or Eleventy, or an archive or JSON export of Commonplace. A zip may have the pictures too. You see a preview before anything is imported.",
  fileHint: `At most 32 MB. For larger files, run ${commandName()} import on the server.`,
  links: "Bookmarks are imported in the library.",
  noPosts:
    "This file has no posts that can be read. Choose an export of Ghost, WordPress or Commonplace, or a zip of Markdown files.",
  formats: {
    archive: "an archive of Commonplace",
    everything: "a JSON export of Commonplace",
    markdown: "Markdown files",
    ghost: "an export of Ghost",
    wordpress: "an export of WordPress",
  } as Readonly<Record<string, string>>,
  lookIntro: (format: string) => `Nothing is imported yet. This is what will happen with ${format},`,
  counts: "Records of the file",
  kind: "Kind",
  kindOf: (kind: string) => KINDS[kind]?.[0] ?? kind,
  kindsOf: (kind: string) => KINDS[kind]?.[1] ?? kind,
  added: "New",
  skipped: "Left out",
  refused: "Not valid",
  write: (count: number) => (count === 1 ? "Import 1 record" : `Import ${number(count)} records`),
  nothing: "There is nothing new in this file.",
  pictures:
    "Pictures are stored in a smaller size, without location and camera data. Pictures that are already on the server are not stored twice.",
  report: "Download all lines",
  line: (file: string, line: number) => (line > 1 ? `${file}, line ${number(line)}` : file),
  reading: (done: number, total: number) => `${number(done)} of ${number(total)} records are read`,
  storing: (total: number) => `All ${number(total)} records are read. They are being stored, all at once.`,
  failed: "The import failed, and nothing was stored. The server's log says why. You can try again.",
  nothingNew: "The import is finished. Nothing in the file was new.",
  toPosts: "Go to the posts",
  earlierCount: "Records",
  undoneBut: (kept: number) =>
    kept === 1
      ? "Import undone, except for 1 record that was changed or used since."
      : `Import undone, except for ${number(kept)} records that were changed or used since.`,
  running: "Undo this import after it has finished.",
};
