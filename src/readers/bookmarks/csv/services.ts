import { readFolderPath } from "../../../records/folder-path.ts";
import { CSV_COLUMNS, unguardFormula } from "../../../records/own-csv.ts";
import { textOfHtml } from "../../html/html-content.ts";
import { exactText, makeRow, paragraphs, plainText } from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { isPrivateAtLinkace } from "../json/services/linkace.ts";
import { marksInText } from "../marks.ts";
import type { CsvFormat, HeaderColumns } from "./csv-table.ts";

/** The columns of our own CSV that a table needs which people make themselves. */
const NEEDED = ["url", "title", "description", "created_at"];

/**
 * Our own CSV, of `commonplace export --format csv`, or a table of some of its columns. One that has other columns, too, is
 * ours only if it has all of ours. The description has the tags already. Additional tags in the tags column are added to its
 * tag line, so that tags can be added in a spreadsheet.
 */
export const commonplaceCsv: CsvFormat = {
  name: "commonplace-csv",
  columns: CSV_COLUMNS,
  isHeader: (header) =>
    header.has(...CSV_COLUMNS) || (header.has(...NEEDED) && foreignColumns(header).length === 0),
  toRow: (field) => {
    const text = (column: string) => unguardFormula(exactText(field(column)));
    const tags = text("tags");
    const isSet = (column: string) => isTrue(field(column));
    return makeRow({
      url: text("url"),
      title: text("title"),
      description: text("description"),
      tags: tags || null,
      tagNames: tags.split(/\s+/),
      date: field("created_at"),
      dateRule: "exact",
      updated: field("updated_at") || null,
      folder: folderOf(readFolderPath(text("folder"))),
      states: { unread: isSet("unread"), archived: isSet("archived"), shared: isSet("shared") },
      isOurs: true,
      isExact: true,
    });
  },
};

/** The columns of a header that are not in our own CSV. */
export function foreignColumns({ names }: HeaderColumns): string[] {
  return names.filter((name) => name !== "" && !CSV_COLUMNS.includes(name));
}

/** Raindrop's name for bookmarks outside any collection. */
const UNSORTED = "Unsorted";

/**
 * Raindrop's CSV: `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite`, of one collection without
 * `folder`; or the table that it documents for its own importer, such as `url,folder,title,note,tags,created`. Nested
 * collection names are joined by ` / ` or `/`. The note is the user's, the excerpt is from the page.
 */
export const raindrop: CsvFormat = {
  name: "raindrop",
  columns: [
    ...["id", "title", "note", "excerpt", "description", "url", "folder", "tags", "created", "highlights"],
    ...["favorite", "cover"],
  ],
  isHeader: (header) =>
    header.has("url", "created") &&
    !header.has("content") &&
    (header.has("excerpt") || (header.has("folder", "title") && !header.has("created_at"))),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    const folder = plainText(field("folder")).trim();
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: paragraphs(field("note"), field("description"), field("excerpt")),
      marks: marksInText(field("highlights")),
      tags,
      tagNames: tags.split(","),
      date: field("created"),
      folder: folder === "" || folder === UNSORTED ? Folder.root : folderOf(collectionsOf(folder)),
      isImportant: isTrue(field("favorite")),
    });
  },
};

/** The names of nested collections. Where blanks surround a slash, one without them is part of a name. */
function collectionsOf(folder: string): string[] {
  const names = folder.split(folder.includes(" / ") ? " / " : "/").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

function folderOf(names: readonly string[]): Folder {
  return names.reduce((folder, name) => folder.inner(name, false), Folder.root);
}

/**
 * Pocket's CSV: `title,url,time_added,tags,status`, with a `cursor` in older ones; `time_added` in seconds since
 * 1970, `|` separates tags.
 */
export const pocket: CsvFormat = {
  name: "pocket",
  columns: ["title", "url", "time_added", "tags", "status", "cursor"],
  isHeader: (header) => header.has("url", "time_added", "status"),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    const status = field("status").trim().toLowerCase();
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      tags,
      tagNames: tags.split("|"),
      date: field("time_added"),
      states: { unread: status === "unread", archived: status === "archive", shared: false },
    });
  },
};

/** Instapaper's three built-in folders, which are not the user's. */
const UNREAD = "Unread";
const ARCHIVE = "Archive";
const STARRED = "Starred";

/**
 * Instapaper's CSV: `URL,Title,Selection,Folder,Timestamp`, since 2025 with `Tags`, a JSON array. The selection is
 * the text selected on the page.
 */
export const instapaper: CsvFormat = {
  name: "instapaper",
  columns: ["url", "title", "selection", "folder", "timestamp", "tags"],
  isHeader: (header) => header.has("url", "title", "selection", "folder"),
  toRow: (field) => {
    const folder = plainText(field("folder")).trim();
    const isOwn = [UNREAD, ARCHIVE, STARRED, ""].includes(folder);
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      marks: [{ quote: field("selection") }],
      tags: plainText(field("tags")),
      tagNames: tagsOf(plainText(field("tags"))),
      date: field("timestamp"),
      folder: isOwn ? Folder.root : Folder.root.inner(folder, false),
      states: { unread: folder === UNREAD, archived: folder === ARCHIVE, shared: false },
      isImportant: folder === STARRED,
    });
  },
};

function tagsOf(text: string): string[] {
  try {
    const tags: unknown = JSON.parse(text);
    if (Array.isArray(tags)) return tags.filter((tag) => typeof tag === "string");
  } catch {
    // Not an array: written by hand.
  }
  return text.split(",");
}

/**
 * Matter's CSV: `Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight_Count,Last Interaction
 * Date,File Id`; `;` separates tags.
 */
export const matter: CsvFormat = {
  name: "matter",
  columns: [
    ...["title", "url", "tags", "in queue", "favorited", "read", "last interaction date", "word count"],
    ...["highlight_count", "file id"],
  ],
  isHeader: (header) => header.has("url", "in queue", "last interaction date"),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    const isWaiting = isTrue(field("in queue"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      tags,
      tagNames: tags.split(";"),
      date: field("last interaction date"),
      states: { unread: isWaiting, archived: !isWaiting, shared: false },
      isImportant: isTrue(field("favorited")),
    });
  },
};

/** mymind's CSV: `id,type,title,url,content,note,tags,created`. A card without an address is refused. */
export const mymind: CsvFormat = {
  name: "mymind",
  columns: ["id", "type", "title", "url", "content", "note", "tags", "created"],
  isHeader: (header) => header.has("id", "type", "url", "content", "note", "created"),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: paragraphs(field("note"), field("content")),
      tags,
      tagNames: tags.split(","),
      date: field("created"),
    });
  },
};

/** A tag in a list as Python writes it: `['old maps', "rye's"]`. */
const PYTHON_TAG = /'((?:[^'\\]|\\.){0,1000})'|"((?:[^"\\]|\\.){0,1000})"/g;

/**
 * Readwise Reader's CSV: `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen`. What came from
 * feeds by itself gets a folder, so that it can be found and removed.
 */
export const readwise: CsvFormat = {
  name: "readwise",
  columns: [...["title", "url", "id", "document tags", "saved date", "reading progress", "location", "seen"]],
  isHeader: (header) => header.has("url", "document tags", "saved date", "location"),
  toRow: (field) => {
    const tags = plainText(field("document tags"));
    const location = field("location").trim().toLowerCase();
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      tags,
      tagNames: pythonTags(tags),
      date: field("saved date"),
      folder: location === "feed" ? Folder.root.inner("Feed", false) : Folder.root,
      states: {
        unread: ["new", "later", "shortlist"].includes(location),
        archived: location === "archive",
        shared: false,
      },
      isTrashed: location === "trash",
    });
  },
};

/**
 * Readwise's CSV of what is marked: `Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted
 * at,Document tags`. It has no addresses.
 */
export const readwiseMarks: CsvFormat = {
  name: "readwise",
  columns: [
    ...["highlight", "book title", "book author", "amazon book id", "note", "color", "tags", "location type"],
    ...["location", "highlighted at", "document tags"],
  ],
  isHeader: (header) => header.has("highlight", "book title", "highlighted at"),
  toRow: (field) => {
    const date = field("highlighted at");
    const marks = [{ quote: field("highlight"), note: field("note"), tags: field("tags").split(","), date }];
    return makeRow({ url: "", title: plainText(field("book title")), date, marks });
  },
};

function pythonTags(list: string): string[] {
  const found = [...list.matchAll(PYTHON_TAG)].map(([, single, double]) =>
    (single ?? double ?? "").replaceAll(/\\(.)/g, "$1"),
  );
  return found.length > 0 ? found : list.replaceAll(/[[\]]/g, "").split(",");
}

/**
 * LinkAce's CSV: `id,user_id,url,title,description,icon,is_private,status,check_disabled,created_at,…,tags,lists`. Commas
 * separate tags and lists; each list becomes a tag.
 */
export const linkace: CsvFormat = {
  name: "linkace",
  columns: [
    ...[
      "id",
      "user_id",
      "url",
      "title",
      "description",
      "icon",
      "thumbnail",
      "is_private",
      "visibility",
      "status",
    ],
    ...["check_disabled", "created_at", "updated_at", "deleted_at", "tags", "lists"],
  ],
  isHeader: (header) => header.has("url", "user_id", "check_disabled"),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: plainText(field("description")).trim(),
      tags,
      tagNames: [...tags.split(","), ...plainText(field("lists")).split(",")],
      date: field("created_at"),
      isPrivate:
        field("is_private").trim() === "1" ||
        isTrue(field("is_private")) ||
        isPrivateAtLinkace(field("visibility")),
      isTrashed: field("deleted_at").trim() !== "",
    });
  },
};

/** Diigo's word for a bookmark without tags. */
const NO_TAG = "no_tag";

/**
 * Diigo's CSV: `title,url,tags,description,comments,annotations,created_at`. Commas or else blanks separate tags; quotation
 * marks surround one that has blanks.
 */
export const diigo: CsvFormat = {
  name: "diigo",
  columns: ["title", "url", "tags", "description", "comments", "annotations", "created_at"],
  isHeader: (header) => header.has("url", "comments", "annotations", "created_at"),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: paragraphs(field("description"), field("comments")),
      marks: marksInText(field("annotations")),
      tags,
      tagNames: quotedTags(tags).filter((tag) => tag.trim() !== NO_TAG),
      date: field("created_at"),
    });
  },
};

function quotedTags(text: string): string[] {
  const unquoted = text.replaceAll(/"[^"]*"/g, "");
  const parts = unquoted.includes(",") ? /(?:"[^"]*"|[^,"])+/g : /"[^"]*"|[^\s"]+/g;
  return (text.match(parts) ?? []).map((tag) => tag.replaceAll('"', ""));
}

/** Lists of saved pages of Google Takeout: `Title,Note,URL,Comment`, since 2024 with `Tags`. They have no dates. */
export const googleSaved: CsvFormat = {
  name: "google-saved",
  columns: ["title", "note", "url", "comment", "tags"],
  isHeader: (header) => header.has("title", "note", "url", "comment"),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: paragraphs(field("note"), field("comment")),
      tags,
      tagNames: tags.split(","),
    });
  },
};

/** A playlist of YouTube in Google Takeout, such as *Watch later*: `Video ID,Playlist Video Creation Timestamp`. */
export const youtube: CsvFormat = {
  name: "youtube",
  columns: ["video id", "playlist video creation timestamp"],
  isHeader: (header) => header.has("video id", "playlist video creation timestamp"),
  toRow: (field) => {
    const id = plainText(field("video id")).trim();
    const url = id === "" ? "" : `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`;
    return makeRow({ url, title: "", date: field("playlist video creation timestamp") });
  },
};

/** What was saved at Reddit, in the archive of its data: `id,permalink`, without titles and dates. */
export const reddit: CsvFormat = {
  name: "reddit",
  columns: ["id", "permalink"],
  isHeader: ({ names }) => names.length === 2 && names[0] === "id" && names[1] === "permalink",
  toRow: (field) => makeRow({ url: plainText(field("permalink")), title: "" }),
};

/**
 * Zotero's CSV of its items, in which `;` separates tags; those that it made itself are left out. One without an address may have
 * that of its DOI.
 */
export const zotero: CsvFormat = {
  name: "zotero",
  columns: [
    ...["title", "url", "doi", "abstract note", "notes", "manual tags", "date added"],
    ...[
      "key",
      "item type",
      "date modified",
      "access date",
      "library catalog",
      "file attachments",
      "link attachments",
    ],
  ],
  isHeader: (header) => header.has("item type", "url", "manual tags"),
  toRow: (field) => {
    const tags = plainText(field("manual tags"));
    const doi = plainText(field("doi")).trim();
    const url = plainText(field("url")).trim();
    return makeRow({
      url: url === "" && doi !== "" ? `https://doi.org/${doi}` : url,
      title: plainText(field("title")),
      description: paragraphs(textOfHtml(field("notes")), field("abstract note")),
      tags,
      tagNames: tags.split(";"),
      date: field("date added"),
    });
  },
};

function isTrue(text: string): boolean {
  return text.trim().toLowerCase() === "true";
}
