import {
  type BookmarkFormat,
  type FormatInput,
  makeRow,
  paragraphs,
  plainText,
  WHOLE,
} from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { notKeptNote } from "../notes.ts";
import {
  brokenOff,
  dateOf,
  listFormat,
  objectOf,
  readList,
  textOf,
  textsOf,
  treatListed,
} from "./json-lists.ts";
import {
  type JsonItem,
  type JsonObject,
  type JsonPosition,
  type JsonValue,
  type Treatment,
  walkJson,
} from "./json-walk.ts";

/**
 * Pinboard's JSON, of its export page and of its API (pinboard.in/api): `description` is the title, `extended` the
 * description, `tags` are separated by spaces.
 */
export const pinboard = listFormat("pinboard", ["posts"], (post) =>
  makeRow({
    url: plainText(textOf(post.href)),
    title: plainText(textOf(post.description)),
    description: plainText(textOf(post.extended)),
    tags: plainText(textOf(post.tags)),
    tagNames: plainText(textOf(post.tags)).split(/\s+/),
    date: dateOf(post.time),
    isPrivate: post.shared === "no",
    states: { unread: post.toread === "yes", archived: false, shared: post.shared === "yes" },
  }),
);

/**
 * Responses of linkding's `GET /api/bookmarks/` (linkding.link/api), one page after another, or an array of its
 * bookmarks. `shared: false` is the default there, so it does not mean private.
 */
export const linkding = listFormat("linkding", ["results"], (bookmark) => {
  const tags = textsOf(bookmark.tag_names).map(plainText);
  return makeRow({
    url: plainText(textOf(bookmark.url)),
    title: plainText(textOf(bookmark.title) || textOf(bookmark.website_title)),
    description: paragraphs(textOf(bookmark.description), textOf(bookmark.notes)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(bookmark.date_added),
    states: {
      unread: bookmark.unread === true,
      archived: bookmark.is_archived === true,
      shared: bookmark.shared === true,
    },
  });
});

/**
 * Karakeep's export (packages/shared/import-export in its source). A bookmark in several lists gets a tag for each;
 * the first list is its folder. Since the lists follow the bookmarks, the file is read twice.
 */
export const karakeep: BookmarkFormat = {
  name: "karakeep",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const lists = new Map<string, List>();
    const onItem = ({ members: { id, name, parentId } }: { readonly members: JsonObject }) => {
      if (typeof id === "string")
        lists.set(id, { name: plainText(textOf(name)).trim(), parentId: textOf(parentId) || null });
    };
    const treat = (place: Parameters<typeof treatListed>[0]) => treatListed(place, ["lists"]);
    await walkJson(reading.text, { treat, onItem });
    const folders = new Map<string, Folder>();
    const folderOf = (id: string) => {
      const folder = folders.get(id) ?? folderOfList(lists, id);
      folders.set(id, folder);
      return folder;
    };
    return readList(reading, ["bookmarks"], (bookmark) => rowOfKarakeep(bookmark, folderOf));
  },
};

function rowOfKarakeep(bookmark: JsonObject, folderOf: (id: string) => Folder) {
  const content = objectOf(bookmark.content);
  const title = textOf(bookmark.title) || textOf(content.title);
  const tags = textsOf(bookmark.tags).map(plainText);
  const [folder = Folder.root, ...others] = textsOf(bookmark.lists).map(folderOf);
  return makeRow({
    // A text note has no URL: it is refused, with its text in the record.
    url: plainText(textOf(content.url)),
    title: plainText(title || textOf(content.text)),
    description: paragraphs(textOf(bookmark.note)),
    tags: tags.join(","),
    tagNames: [...tags, ...others.flatMap(({ tag }) => tag ?? [])],
    date: dateOf(bookmark.createdAt),
    folder,
    states: { unread: false, archived: bookmark.archived === true, shared: false },
  });
}

/** The collection of links that were put into none. */
const UNORGANIZED = "unorganized";

/**
 * Linkwarden's backup (apps/web/lib/api/controllers/migration in its source): collections with their links, each inside
 * another by its `parentId`. Since outer collections may follow inner ones, the file is read twice.
 */
export const linkwarden: BookmarkFormat = {
  name: "linkwarden",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const lists = new Map<string, List>();
    await walk(reading, ({ members, parent }) => {
      if (parent !== null) return;
      const name = plainText(textOf(members.name)).trim();
      if (members.parentId == null && name.toLowerCase() === UNORGANIZED) return;
      lists.set(String(members.id), {
        name,
        parentId: members.parentId == null ? null : String(members.parentId),
      });
    });
    const folders = new Map<string, Folder>();
    const folderOf = (id: string) => {
      const folder = folders.get(id) ?? folderOfList(lists, id);
      folders.set(id, folder);
      return folder;
    };
    let [rows, texts] = [0, 0];
    const syntaxError = await walk(reading, ({ members, parent }) => {
      if (parent === null) return;
      rows++;
      if (textOf(members.textContent) !== "") texts++;
      reading.onRow(rowOfLinkwarden(members, folderOf(String(parent.members.id))));
    });
    if (texts > 0) reading.onNote(notKeptNote({ texts }));
    return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
  },
};

function walk({ text }: FormatInput, onItem: (item: JsonItem) => void): Promise<string | null> {
  return walkJson(text, { treat, onItem });
}

function treat({ within, outer, isArray, name }: JsonPosition): Treatment {
  if (within === null) return "walk";
  if (within === "item") return isArray && name === "links" ? "walk" : "keep";
  if (outer?.isArray) return "item";
  return isArray && name === "collections" ? "walk" : "skip";
}

function rowOfLinkwarden(link: JsonObject, folder: Folder) {
  const tags = (Array.isArray(link.tags) ? link.tags : []).map((tag) =>
    plainText(textOf(objectOf(tag).name)),
  );
  return makeRow({
    // An uploaded image or PDF has no URL: it is refused, with its name in the record.
    url: plainText(textOf(link.url)),
    title: plainText(textOf(link.name)),
    description: plainText(textOf(link.description)).trim(),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(link.importDate ?? link.createdAt),
    folder,
  });
}

/** The `metadata_….json` of Omnivore's export, beside which are the texts and highlights of its pages. */
export const omnivore = listFormat("omnivore", [], (page) => {
  const tags = textsOf(page.labels).map(plainText);
  const isArchived = page.state === "Archived";
  return makeRow({
    url: plainText(textOf(page.url)),
    title: plainText(textOf(page.title)),
    description: paragraphs(textOf(page.description)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(page.savedAt),
    states: { unread: !isArchived, archived: isArchived, shared: false },
  });
});

/**
 * wallabag's JSON (tests/fixtures/Import in its source). Its first version had no dates, `is_read` instead of
 * `is_archived`, and its tags in one text. What it kept of the pages themselves is counted.
 */
export const wallabag: BookmarkFormat = {
  name: "wallabag",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    let [texts, highlights] = [0, 0];
    const summary = await readList(reading, [], (entry) => {
      if (textOf(entry.content) !== "") texts++;
      if (Array.isArray(entry.annotations)) highlights += entry.annotations.length;
      return rowOfWallabag(entry);
    });
    if (texts + highlights > 0) reading.onNote(notKeptNote({ texts, highlights }));
    return summary;
  },
};

function rowOfWallabag(entry: JsonObject) {
  const tags = (typeof entry.tags === "string" ? entry.tags.split(",") : textsOf(entry.tags))
    .map((tag) => plainText(tag).trim())
    .filter((tag) => tag !== "");
  const isArchived = isSet(entry.is_archived ?? entry.is_read);
  return makeRow({
    url: plainText(textOf(entry.url)),
    title: plainText(textOf(entry.title)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(entry.created_at),
    isImportant: isSet(entry.is_starred ?? entry.is_fav),
    states: { unread: !isArchived, archived: isArchived, shared: false },
  });
}

/** A flag of any of its versions. */
function isSet(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1";
}

/** The JSON that Delicious exported in its last years. */
export const delicious = listFormat("delicious", [], (bookmark) => {
  const tags = textsOf(bookmark.tags)
    .map(plainText)
    .filter((tag) => tag !== "");
  return makeRow({
    url: plainText(textOf(bookmark.url)),
    title: plainText(textOf(bookmark.title)),
    description: paragraphs(textOf(bookmark.description)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(bookmark.created),
    isPrivate: bookmark.private === "1" || bookmark.private === 1,
  });
});

/** The export of Readability, which ended in 2016. */
export const readability = listFormat("readability", ["bookmarks"], (bookmark) => {
  const isArchived = bookmark.archive === true;
  return makeRow({
    url: plainText(textOf(bookmark.article__url)),
    title: plainText(textOf(bookmark.article__title)),
    description: paragraphs(textOf(bookmark.article__excerpt)),
    date: dateOf(bookmark.date_added),
    isImportant: bookmark.favorite === true,
    states: { unread: !isArchived, archived: isArchived, shared: false },
  });
});

/** elCurator's export: an array of links. */
export const elcurator = listFormat("elcurator", [], (link) => {
  const tags = textsOf(link.tags).map(plainText);
  return makeRow({
    url: plainText(textOf(link.url)),
    title: plainText(textOf(link.title)),
    description: plainText(textOf(link.description)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(link.created_at),
    isImportant: link.is_saved === true,
  });
});

/** A list of bookmarks that can be inside another one. */
export interface List {
  readonly name: string;
  readonly parentId: string | null;
}

/** The maximum depth of lists; this also ends cycles. */
const DEPTH_MAX = 20;

/** The folder of a list, made of the names of those around it. */
export function folderOfList(lists: ReadonlyMap<string, List>, id: string): Folder {
  const names: string[] = [];
  for (let at: string | null = id; at !== null && names.length < DEPTH_MAX; ) {
    const list = lists.get(at);
    if (list !== undefined) names.unshift(list.name);
    at = list?.parentId ?? null;
  }
  return names.reduce((folder, name) => folder.inner(name, false), Folder.root);
}
