import { commandName } from "../../../command-name.ts";
import { counted, links } from "./counted.ts";

/** The pages that import links from files, and export them. */
export const importing = {
  title: "Import links",
  intro:
    "Choose the HTML file that your browser or another service exports. You see a preview before anything is imported.",
  otherFormats:
    "Other formats: JSON from Pinboard, linkding, Karakeep, Linkwarden, Omnivore, wallabag, Readeck, Readwise, Delicious, Firefox, Chrome or Commonplace; CSV from Raindrop, Pocket, Instapaper, Readwise, Matter, mymind, LinkAce, Diigo, Zotero, Reddit or Commonplace; Pocket's HTML; XBEL; a list of links in Markdown or Org, as from buku, or one address a line; a zip or tar archive of any of these files.",
  blogs: "Import a blog",
  hasBlog: "For a blog, or the archive of everything, use",
  chooseOther: "Export the bookmarks again, or choose another file.",
  tooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB.`,
  chooseSmaller: `Choose a smaller file, or run \`${commandName()} import\` on the server.`,
  missing: {
    title: "This import has expired",
    text: "Uploaded files are deleted after some time. What was imported stays.",
    choose: "Choose a file",
  },
  isBlog: "Is it a blog, or the ZIP file of everything?",
  file: "File",
  fileHint:
    "To get it, look for “Export” in the bookmark manager of your browser; in Safari, in the File menu. At most 32 MB.",
  submit: "Preview",
  lookTitle: "Preview",
  lookIntro: "Nothing is imported yet. This is what will happen with this file:",
  refused: "Not valid",
  /** Instead of the details of refused rows, by their codes. */
  rowErrors: {
    url_scheme: "Only web addresses can be saved. They begin with https:// or http://.",
    url_invalid: "This is not a full web address.",
  } as Partial<Record<string, string>>,
  refusedFile: (count: number) =>
    count === 1 ? "1 row was not valid" : `${count.toLocaleString("en")} rows were not valid`,
  downloadRows: (count: number) => (count === 1 ? "Download this row" : "Download these rows"),
  added: "New",
  /** What happens to the rows of a file, by their outcome. */
  happens: {
    added: (count: number) => `${links(count)} will be added.`,
    updated: (count: number) =>
      `${links(count)} ${count === 1 ? "is" : "are"} already saved, and will get the file’s title and note.`,
    skipped: (count: number) =>
      `${links(count)} ${count === 1 ? "is" : "are"} already saved, and will not be changed.`,
    repeated: (count: number) =>
      `${counted(count, "row")} ${count === 1 ? "has" : "have"} the address of an earlier one, and will be one link with it.`,
    refused: (count: number) =>
      `${counted(count, "row")} ${count === 1 ? "is" : "are"} not valid and will be left out.`,
  },
  /** What happened to them. */
  happened: {
    added: (count: number) => `${links(count)} added.`,
    updated: (count: number) =>
      `${links(count)} ${count === 1 ? "was" : "were"} already saved, and got the file’s title and note.`,
    skipped: (count: number) => `${links(count)} ${count === 1 ? "was" : "were"} already saved.`,
    repeated: (count: number) =>
      `${counted(count, "row")} had the address of an earlier one, and became one link with it.`,
    refused: (count: number) =>
      `${counted(count, "row")} ${count === 1 ? "was" : "were"} not valid and left out.`,
  },
  links: "Links",
  now: "In progress",
  /** While an uploaded file is read for its preview. */
  reading: {
    title: "Reading the file",
    percent: (done: number, total: number) =>
      `${Math.floor((100 * done) / Math.max(total, 1))}% of the file is read`,
    leave: "The preview comes next. You can leave this page and come back to it. Nothing is imported yet.",
    waiting: "Waiting for its turn.",
    cancel: "Cancel",
  },
  running: "Importing",
  progress: (done: number, total: number) =>
    `${done.toLocaleString("en")} of ${total.toLocaleString("en")} rows are imported`,
  leave: "You can leave this page. The import will continue; come back to see its progress.",
  refresh: "Refresh",
  done: "Import finished",
  failed:
    "The import failed. The links imported so far stay. Try again to import the rest of the file, or undo what was imported in the list of earlier imports.",
  /** Why an import failed, and what to do. */
  failures: {
    storage_full:
      "The server has no space left, on its disk or for temporary files. Free some space, then try again.",
    unavailable: "The database could not be reached, or was too busy. Try again in a few minutes.",
    conflict: "Somebody else stored something with the same address at the same moment. Try again.",
    interrupted: `The server stopped during each attempt, perhaps because its memory was full. Try again, or run \`${commandName()} import\` on the server.`,
    unknown:
      "This is an error in the program. The server’s log has the details: look for “background job”. Please report it.",
  },
  /** @param reason a sentence */
  retrying: (reason: string) =>
    `The last attempt failed: ${reason} The server will try again by itself within two minutes.`,
  retryingUnknown: "An error in the program; the server’s log has the details.",
  nothingNew: (rows: number) =>
    rows === 1
      ? "The file has 1 row. Nothing was new."
      : `The file has ${rows.toLocaleString("en")} rows. Nothing was new.`,
  /** What can be done with new links. The second half is for people with an account. */
  whatNext: [
    "Next, look for ",
    "duplicates",
    ", or have the server read ",
    "pictures and titles of the pages",
  ],
  toLibrary: "Go to the library",
  undoImport: "Undo this import",
  withTags: "Import tags and folders as tags",
  update: "Replace the titles and notes of links that are already saved",
  write: (count: number) => `Import ${links(count)}`,
  again: "Update preview",
  other: "Choose another file",
  row: (number: number, rowUnit: "line" | "bookmark") =>
    `${rowUnit === "line" ? "Line" : "Bookmark"} ${number}`,
  severalRows: (count: number) => links(count),
  notes: "Notes",
  more: (count: number) => `and ${count.toLocaleString("en")} more`,
  earlier: "Earlier",
  day: "Day",
  undo: "Undo",
  undone: "undone",
  wasUndone: (count: number, day: string) => `(${links(count)}, ${day}) was undone.`,
  importOf: "The import of",
  nothing: "There is nothing new in this file.",
};

export const exporting = {
  title: "Export",
  intro: "What you save and write belongs to you. All files contain your archived links, too.",
  html: "Links only, for browsers and other services",
  htmlText: "One HTML file, which every browser and most services import.",
  json: "Links only, for programs",
  jsonText: "One JSON file, with ids and dates.",
  csv: "Links only, for spreadsheets",
  csvText: "One CSV file, with a column for each part of a link. It can be imported again.",
  everything: "Everything",
  archive: "Links with copies of pages and marks, posts, drafts, comments and pictures",
  archiveText:
    "One ZIP file, for moving to another server or for a copy of your own. Passwords, tokens and accounts are not in it.",
  archiveUse:
    "Commonplace can import it again, with all dates. For other programs, it also contains the posts as Markdown and the pictures as files. With thousands of pictures, the download starts after about a minute.",
  signIn: "Sign in",
  whySignIn: "to download it: it contains drafts and waiting comments.",
  command: "On the server, this command writes the same file:",
  everythingCommand: `${commandName()} export --format archive everything.zip`,
  everythingJson: "Everything as JSON",
  everythingJsonTitle: "Links, posts, drafts, comments and marks, for programs",
  everythingJsonText: "One JSON file, without pictures and copies of pages. It can be imported again.",
  downloadEverythingJson: "Download everything as JSON",
  download: "Download",
};
