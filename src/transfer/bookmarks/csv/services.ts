import { readFolderPath } from "../../../bookmarks/export/folder-path.ts";
import { unguardFormula } from "../../../bookmarks/export/formula-guard.ts";
import { exactText, makeRow, paragraphs, plainText } from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import type { CsvFormat } from "./csv-table.ts";

/**
 * Our own CSV, of `commonplace export --format csv`. The description has the tags already. Additional tags in the
 * tags column are added to its tag line, so that tags can be added in a spreadsheet.
 */
export const commonplaceCsv: CsvFormat = {
  name: "commonplace-csv",
  isHeader: (has) => ["url", "title", "description", "created_at"].every(has),
  toRow: (field) => {
    const text = (column: string) => unguardFormula(exactText(field(column)));
    const tags = text("tags");
    const isSet = (column: string) => field(column).trim().toLowerCase() === "true";
    return makeRow({
      url: text("url"),
      title: text("title"),
      description: text("description"),
      tags: tags || null,
      tagNames: tags.split(/\s+/),
      date: field("created_at"),
      dateRule: "exact",
      updated: field("updated_at") || null,
      folder: readFolderPath(text("folder")).reduce((folder, name) => folder.inner(name, false), Folder.root),
      states: { unread: isSet("unread"), archived: isSet("archived"), shared: isSet("shared") },
      isOurs: true,
      isExact: true,
    });
  },
};

/** Raindrop's name for bookmarks outside any collection. */
const UNSORTED = "Unsorted";

/**
 * Raindrop's CSV: `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite`. Nested collection
 * names are joined by ` / `. The note is the user's, the excerpt is from the page.
 */
export const raindrop: CsvFormat = {
  name: "raindrop",
  isHeader: (has) => ["url", "folder", "created", "excerpt"].every(has),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: paragraphs(field("note"), field("excerpt"), field("highlights")),
      tags,
      tagNames: tags.split(","),
      date: field("created"),
      folder: folderOf(plainText(field("folder"))),
      isImportant: field("favorite").trim().toLowerCase() === "true",
    });
  },
};

function folderOf(path: string): Folder {
  const names = path.split(" / ").map((name) => name.trim());
  if (path.trim() === "" || path.trim() === UNSORTED) return Folder.root;
  return names.reduce((folder, name) => folder.inner(name, false), Folder.root);
}

/**
 * Pocket's CSV: `title,url,time_added,tags,status`, with a `cursor` in older ones; `time_added` in seconds since
 * 1970, `|` separates tags.
 */
export const pocket: CsvFormat = {
  name: "pocket",
  isHeader: (has) => ["url", "time_added", "status"].every(has),
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
  isHeader: (has) => ["url", "title", "selection", "folder"].every(has),
  toRow: (field) => {
    const folder = plainText(field("folder")).trim();
    const isOwn = [UNREAD, ARCHIVE, STARRED, ""].includes(folder);
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      description: plainText(field("selection")).trim(),
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
  isHeader: (has) => ["url", "in queue", "last interaction date"].every(has),
  toRow: (field) => {
    const tags = plainText(field("tags"));
    const isWaiting = field("in queue").trim().toLowerCase() === "true";
    return makeRow({
      url: plainText(field("url")),
      title: plainText(field("title")),
      tags,
      tagNames: tags.split(";"),
      date: field("last interaction date"),
      states: { unread: isWaiting, archived: !isWaiting, shared: false },
      isImportant: field("favorited").trim().toLowerCase() === "true",
    });
  },
};

/** mymind's CSV: `id,type,title,url,content,note,tags,created`. A card without an address is refused. */
export const mymind: CsvFormat = {
  name: "mymind",
  isHeader: (has) => ["id", "type", "url", "content", "note", "created"].every(has),
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
  isHeader: (has) => ["url", "document tags", "saved date", "location"].every(has),
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
    });
  },
};

function pythonTags(list: string): string[] {
  const found = [...list.matchAll(PYTHON_TAG)].map(([, single, double]) =>
    (single ?? double ?? "").replaceAll(/\\(.)/g, "$1"),
  );
  return found.length > 0 ? found : list.replaceAll(/[[\]]/g, "").split(",");
}
