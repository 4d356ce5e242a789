import { commandName } from "../../../command-name.ts";
import { counted } from "./counted.ts";

const number = (count: number) => count.toLocaleString("en");

/** The names of records that pages call otherwise than the command line, for one and for several. */
const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  post: ["Post", "Posts and pages"],
  page: ["Page", "Pages"],
  bookmark: ["Link", "Links"],
  edit: ["Draft in the editor", "Drafts in the editor"],
  image: ["Picture", "Pictures"],
};

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Importing a blog. */
export const blogImport = {
  title: "Import a blog",
  intro:
    "Choose an export from Ghost, WordPress, Squarespace, Blogger, Medium, Substack, Buttondown, Beehiiv, Wix, Movable Type, TypePad, WriteFreely, DEV, Disqus or Commonplace, a feed (RSS or Atom), or a zip or tar.gz with the Markdown files of Hugo, Jekyll, Hexo, Astro, Eleventy, Pelican or Obsidian. You see a preview before anything is imported.",
  images:
    "WordPress exports the file under Tools > Export > All content, Ghost under Settings > Import/Export, both without the pictures. To import the pictures, too, put the file into a zip together with the folder wp-content/uploads of WordPress or content/images of Ghost.",
  chooseOther: "Export the blog again, or choose another file.",
  fileHint: `At most 32 MB. For larger files, run \`${commandName()} import\` on the server.`,
  links: "Import links",
  hasLinks: "For bookmarks, use",
  noPosts:
    "This file has no posts that can be read. Choose an export of Ghost, WordPress, Squarespace, Blogger, Medium, Substack, Buttondown, Beehiiv, Wix, Movable Type, TypePad, WriteFreely, DEV, Disqus or Commonplace, a zip of Markdown files, or a feed (RSS or Atom). Coming from another program? Export for WordPress or as Markdown, or save its feed as a file. Unpack .gz files first.",
  formats: {
    archive: "an archive from Commonplace",
    everything: "a JSON export from Commonplace",
    markdown: "Markdown files",
    ghost: "an export from Ghost",
    blogger: "an export from Blogger",
    beehiiv: "an export from Beehiiv",
    wix: "an export from Wix",
    "movable-type": "an export in Movable Type's format",
    writefreely: "an export from WriteFreely",
    forem: "an export from DEV",
    disqus: "the comments of Disqus",
    feed: "a feed",
    medium: "an export from Medium",
    substack: "an export from Substack",
    wordpress: "an export from WordPress",
  },
  lookIntro: (format: string) => `Nothing is imported yet. This is what will happen with ${format}:`,
  counts: "Contents of the file",
  kind: "Kind",
  kindOf: (kind: string, name: string) => KINDS[kind]?.[0] ?? capitalized(name),
  kindsOf: (kind: string, names: string) => KINDS[kind]?.[1] ?? capitalized(names),
  added: "New",
  skipped: "Left out",
  refused: "Not valid",
  /** @param posts how many of the new items are posts */
  write: (count: number, posts: number) =>
    count === posts ? `Import ${counted(count, "post")}` : `Import ${counted(count, "item")}`,
  /** Begins every preview and report. */
  visibility: (shown: number, drafts: number, scheduled: number) =>
    `${number(shown)} public, ${counted(drafts, "draft")}${scheduled > 0 ? `, ${number(scheduled)} scheduled to become public` : ""}`,
  onlyPublic: "Readers see the public ones as soon as they are imported.",
  seenBy: { public: "", draft: "draft", scheduled: "scheduled" } as Readonly<Record<string, string>>,
  /** Posts that an earlier import made public, and that the file hides. */
  hiddenThere: "Public here, hidden in the file",
  makeDrafts: (count: number) =>
    count === 1
      ? "Turn 1 post into a draft: it is public here, but hidden in this file"
      : `Turn ${number(count)} posts into drafts: they are public here, but hidden in this file`,
  makeDraftsHint:
    "An earlier import made them public. They are listed below; nothing else about them changes.",
  noNew: "Turn them into drafts",
  nothing: "There is nothing new in this file.",
  pictures:
    "Pictures are stored in a smaller size, without location and camera data. Pictures that are already on the server are not stored twice.",
  report: "Download the full report",
  line: (file: string, line: number) => (line > 1 ? `${file}, line ${number(line)}` : file),
  /** @param done bytes */
  readSoFar: (done: number, total: number, items: number) =>
    `${Math.floor((100 * done) / Math.max(total, 1))}% of the file is read${items > 0 ? `, ${counted(items, "item")} so far` : ""}`,
  checkedSoFar: (items: number) => `The file is read, ${counted(items, "item")} of it checked so far`,
  bringPictures: (count: number) =>
    count === 1 ? "Fetch 1 picture from another site:" : `Fetch ${number(count)} pictures from other sites:`,
  moreSites: (count: number) => `and ${counted(count, "other site")}`,
  bringHint: (each: number, all: number) =>
    `They are fetched before the import, at most ${each} MB each and ${all} MB in all. Those that cannot be fetched are listed, and stay where they are.`,
  fetching: (done: number, total: number) => `${number(done)} of ${counted(total, "picture")} fetched`,
  storing: (total: number) => `All ${number(total)} items are read. They are being stored, all at once.`,
  failed: {
    title: "The import failed",
    text: "Nothing was imported.",
    again: "Try again",
  },
  nothingNew: "The import is finished. Nothing in the file was new.",
  toPosts: "Go to the posts",
  earlierCount: "Items",
  undoneBut: (kept: number) =>
    kept === 1
      ? "Import undone, except for 1 item that was changed or used since."
      : `Import undone, except for ${number(kept)} items that were changed or used since.`,
  /** A remark that applies to several places. */
  places: (count: number) => `${number(count)} places, such as`,
  running: "Undo this import after it has finished.",
};
