import {
  type BookmarkFormat,
  type FormatInput,
  type FormatName,
  makeRow,
  paragraphs,
  plainText,
  WHOLE,
} from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { LeftOut } from "../left-out.ts";
import { notKeptNote } from "../notes.ts";
import { withoutQuoteMarks } from "../quote-marks.ts";
import {
  brokenOff,
  dateOf,
  isSet,
  lineOf,
  listFormat,
  objectOf,
  readList,
  textOf,
  textsOf,
  treatListed,
} from "./json-lists.ts";
import { type JsonItem, type JsonObject, type JsonPosition, type Treatment, walkJson } from "./json-walk.ts";
import { tagsIn } from "./tags.ts";

/**
 * Pinboard's JSON, of its export page and of its API (pinboard.in/api): `description` is the title, `extended` the
 * description, `tags` are separated by spaces.
 */
export const pinboard = listFormat("pinboard", {
  lists: ["posts"],
  members: ["href", "description", "extended", "tags", "time", "shared", "toread", "meta", "hash"],
  toRow: (post) =>
    makeRow({
      url: lineOf(post.href),
      title: lineOf(post.description),
      description: withoutQuoteMarks(lineOf(post.extended)),
      ...tagsIn(post.tags, /\s+/),
      date: dateOf(post.time),
      isPrivate: post.shared === "no",
      states: { unread: post.toread === "yes", archived: false, shared: post.shared === "yes" },
    }),
});

/**
 * Responses of linkding's `GET /api/bookmarks/` (linkding.link/api), one page after another, or an array of its
 * bookmarks. `shared: false` is the default there, so it does not mean private.
 */
export const linkding = listFormat("linkding", {
  lists: ["results"],
  members: [
    ...["id", "url", "title", "website_title", "description", "notes", "tag_names", "is_archived", "unread"],
    ...[
      "shared",
      "date_added",
      "date_modified",
      "favicon_url",
      "preview_image_url",
      "web_archive_snapshot_url",
    ],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: plainText(textOf(bookmark.title) || textOf(bookmark.website_title)),
      description: paragraphs(textOf(bookmark.description), textOf(bookmark.notes)),
      ...tagsIn(bookmark.tag_names),
      date: dateOf(bookmark.date_added),
      states: {
        unread: bookmark.unread === true,
        archived: bookmark.is_archived === true,
        shared: bookmark.shared === true,
      },
    }),
});

/**
 * Karakeep's export (packages/shared/import-export in its source), or responses of its API. A bookmark in several lists
 * gets a tag for each; the first list is its folder. Since the lists follow the bookmarks, the file is read twice.
 */
export const karakeep: BookmarkFormat = {
  name: "karakeep",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const lists = new Map<string, List>();
    const onItem = ({ members: { id, name, parentId } }: { readonly members: JsonObject }) => {
      if (typeof id === "string")
        lists.set(id, { name: lineOf(name).trim(), parentId: textOf(parentId) || null });
    };
    const treat = (place: JsonPosition) => treatListed(place, ["lists"]);
    await walkJson(reading.text, { treat, onItem });
    const folderOf = folders(lists);
    return readList(reading, {
      lists: ["bookmarks"],
      members: [
        ...["id", "url", "title", "content", "note", "tags", "lists", "createdAt", "modifiedAt", "archived"],
        ...["favourited", "taggingStatus", "summarizationStatus", "userId", "source", "assets"],
      ],
      toRow: (bookmark) => rowOfKarakeep(bookmark, folderOf),
    });
  },
};

function rowOfKarakeep(bookmark: JsonObject, folderOf: (id: string) => Folder) {
  const content = objectOf(bookmark.content);
  const title = textOf(bookmark.title) || textOf(content.title);
  const { tagNames, ...tags } = tagsIn(bookmark.tags);
  const [folder = Folder.root, ...others] = textsOf(bookmark.lists).map(folderOf);
  return makeRow({
    // A text note has no URL: it is refused, with its text in the record.
    url: lineOf(content.url),
    title: plainText(title || textOf(content.text)),
    description: paragraphs(textOf(bookmark.note)),
    ...tags,
    tagNames: [...tagNames, ...others.flatMap(({ tag }) => tag ?? [])],
    date: dateOf(bookmark.createdAt),
    folder,
    isImportant: bookmark.favourited === true,
    states: { unread: false, archived: bookmark.archived === true, shared: false },
  });
}

/** The collection of links that were put into none. */
const UNORGANIZED = "unorganized";

/** The members of a link of Linkwarden. */
const LINKWARDEN_MEMBERS = [
  ...[
    "id",
    "name",
    "type",
    "description",
    "url",
    "tags",
    "importDate",
    "createdAt",
    "updatedAt",
    "textContent",
  ],
  ...["collectionId", "createdById", "collection", "preview", "image", "pdf", "readable", "monolith"],
  ...["lastPreserved", "indexVersion", "aiTagged", "clientSide", "pinnedBy", "icon", "iconWeight", "color"],
];

/**
 * Linkwarden's backup (apps/web/lib/api/controllers/migration in its source): collections with their links, each inside
 * another by its `parentId`. Since outer collections may follow inner ones, the file is read twice.
 */
export const linkwarden = nestedFormat("linkwarden", {
  outer: "collections",
  inner: "links",
  members: LINKWARDEN_MEMBERS,
  listOf: ({ id, name, parentId }) => {
    const outer = parentId == null ? null : String(parentId);
    const isNone = outer === null && lineOf(name).trim().toLowerCase() === UNORGANIZED;
    return { id: String(id), name: isNone ? null : lineOf(name).trim(), parentId: outer };
  },
  toRow: rowOfLinkwarden,
});

/** Links of Linkwarden's API. */
export const linkwardenApi = listFormat("linkwarden", {
  lists: ["response", "data.links"],
  members: LINKWARDEN_MEMBERS,
  toRow: (link) => {
    const collection = lineOf(objectOf(link.collection).name).trim();
    const isNone = collection === "" || collection.toLowerCase() === UNORGANIZED;
    return rowOfLinkwarden(link, isNone ? Folder.root : Folder.root.inner(collection, false));
  },
});

function rowOfLinkwarden(link: JsonObject, folder: Folder) {
  return makeRow({
    // An uploaded image or PDF has no URL: it is refused, with its name in the record.
    url: lineOf(link.url),
    title: lineOf(link.name),
    description: lineOf(link.description).trim(),
    ...tagsIn(link.tags),
    date: dateOf(link.importDate ?? link.createdAt),
    folder,
  });
}

/** The export of the tab manager Toby: lists with their cards. It has no dates. */
export const toby = nestedFormat("toby", {
  outer: "lists",
  inner: "cards",
  members: ["id", "title", "url", "customTitle", "customDescription", "labels", "favIconUrl"],
  listOf: ({ title }, number) => ({ id: String(number), name: lineOf(title).trim(), parentId: null }),
  toRow: (card, folder) =>
    makeRow({
      url: lineOf(card.url),
      title: plainText(textOf(card.customTitle) || textOf(card.title)),
      description: lineOf(card.customDescription).trim(),
      ...tagsIn(card.labels),
      folder,
    }),
});

/** The `metadata_….json` of Omnivore's export, beside which are the texts and highlights of its pages. */
export const omnivore = listFormat("omnivore", {
  members: [
    ...[
      "id",
      "slug",
      "title",
      "description",
      "url",
      "state",
      "labels",
      "savedAt",
      "updatedAt",
      "readingProgress",
    ],
    ...["thumbnail"],
  ],
  toRow: (page) => {
    const isArchived = page.state === "Archived";
    return makeRow({
      url: lineOf(page.url),
      title: lineOf(page.title),
      description: paragraphs(textOf(page.description)),
      ...tagsIn(page.labels),
      date: dateOf(page.savedAt),
      states: { unread: !isArchived, archived: isArchived, shared: false },
    });
  },
});

/**
 * wallabag's JSON (tests/fixtures/Import in its source), also of its API. Its first version had no dates, `is_read` instead
 * of `is_archived`, and its tags in one text. What it kept of the pages themselves is counted.
 */
export const wallabag: BookmarkFormat = {
  name: "wallabag",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    let [texts, highlights] = [0, 0];
    const summary = await readList(reading, {
      lists: ["_embedded.items"],
      members: [
        ...["id", "uid", "url", "hashed_url", "given_url", "hashed_given_url", "origin_url", "title", "tags"],
        ...["content", "annotations", "is_archived", "is_starred", "is_read", "is_fav", "created_at"],
        ...["updated_at", "archived_at", "starred_at", "user_id", "user_name", "user_email", "domain_name"],
        ...["reading_time", "mimetype", "language", "preview_picture", "http_status", "headers", "_links"],
        // The first version has each column a second time, by its number.
        ...Array.from({ length: 20 }, (_, number) => String(number)),
      ],
      toRow: (entry) => {
        if (textOf(entry.content) !== "") texts++;
        if (Array.isArray(entry.annotations)) highlights += entry.annotations.length;
        return rowOfWallabag(entry);
      },
    });
    if (texts + highlights > 0) reading.onNote(notKeptNote({ texts, highlights }));
    return summary;
  },
};

function rowOfWallabag(entry: JsonObject) {
  const isArchived = isSet(entry.is_archived ?? entry.is_read);
  return makeRow({
    url: lineOf(entry.url),
    title: lineOf(entry.title),
    ...tagsIn(entry.tags),
    date: dateOf(entry.created_at),
    isImportant: isSet(entry.is_starred ?? entry.is_fav),
    states: { unread: !isArchived, archived: isArchived, shared: false },
  });
}

/** The JSON that Delicious exported in its last years. */
export const delicious = listFormat("delicious", {
  members: ["title", "tags", "url", "description", "created", "private", "others", "owner"],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.description)),
      ...tagsIn(bookmark.tags),
      date: dateOf(bookmark.created),
      isPrivate: isSet(bookmark.private),
    }),
});

/** The export of Readability, which ended in 2016. */
export const readability = listFormat("readability", {
  lists: ["bookmarks"],
  members: [
    ...[
      "article__url",
      "article__title",
      "article__excerpt",
      "date_added",
      "date_archived",
      "date_favorited",
    ],
    ...["favorite", "archive"],
  ],
  toRow: (bookmark) => {
    const isArchived = bookmark.archive === true;
    return makeRow({
      url: lineOf(bookmark.article__url),
      title: lineOf(bookmark.article__title),
      description: paragraphs(textOf(bookmark.article__excerpt)),
      date: dateOf(bookmark.date_added),
      isImportant: bookmark.favorite === true,
      states: { unread: !isArchived, archived: isArchived, shared: false },
    });
  },
});

/** elCurator's export: an array of links. */
export const elcurator = listFormat("elcurator", {
  members: ["url", "title", "description", "tags", "created_at", "is_saved"],
  toRow: (link) =>
    makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: lineOf(link.description),
      ...tagsIn(link.tags),
      date: dateOf(link.created_at),
      isImportant: link.is_saved === true,
    }),
});

/** Bookmarks of Readeck's API: `href` is the address of the bookmark there, not of the page. */
export const readeck = listFormat("readeck", {
  members: [
    ...[
      "id",
      "href",
      "url",
      "title",
      "description",
      "labels",
      "created",
      "updated",
      "is_marked",
      "is_archived",
    ],
    ...["state", "loaded", "site_name", "site", "lang", "text_direction", "document_type", "type"],
    ...[
      "has_article",
      "is_deleted",
      "read_progress",
      "read_anchor",
      "resources",
      "word_count",
      "reading_time",
    ],
    ...["errors", "sort"],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.description)),
      ...tagsIn(bookmark.labels),
      date: dateOf(bookmark.created),
      isImportant: bookmark.is_marked === true,
      states: { unread: false, archived: bookmark.is_archived === true, shared: false },
    }),
});

/** Links of Shaarli's API (shaarli.github.io/api-documentation). */
export const shaarli = listFormat("shaarli", {
  members: ["id", "url", "shorturl", "title", "description", "tags", "private", "created", "updated"],
  toRow: (link) =>
    makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: paragraphs(textOf(link.description)),
      ...tagsIn(link.tags, /\s+/),
      date: dateOf(link.created),
      isPrivate: link.private === true,
    }),
});

/** Bookmarks of Shiori's API. */
export const shiori = listFormat("shiori", {
  lists: ["bookmarks"],
  members: [
    ...["id", "url", "title", "excerpt", "public", "tags", "createdAt", "modifiedAt", "modified"],
    ...["imageURL", "hasContent", "hasArchive", "hasEbook", "create_archive", "create_ebook"],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.excerpt)),
      ...tagsIn(bookmark.tags),
      date: dateOf(bookmark.createdAt ?? bookmark.modifiedAt ?? bookmark.modified),
      states: { unread: false, archived: false, shared: isSet(bookmark.public) },
    }),
});

/** GoodLinks' JSON: what was read is archived. */
export const goodlinks = listFormat("goodlinks", {
  members: ["id", "url", "originalURL", "title", "summary", "tags", "starred", "addedAt", "readAt"],
  toRow: (link) => {
    const isRead = dateOf(link.readAt) !== null && link.readAt !== 0;
    return makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: paragraphs(textOf(link.summary)),
      ...tagsIn(link.tags),
      date: dateOf(link.addedAt),
      isImportant: isSet(link.starred),
      states: { unread: !isRead, archived: isRead, shared: false },
    });
  },
});

/** Bookmarks of Raindrop's API (developer.raindrop.io). */
export const raindropApi = listFormat("raindrop", {
  lists: ["items"],
  members: [
    ...[
      "_id",
      "link",
      "title",
      "excerpt",
      "note",
      "tags",
      "created",
      "lastUpdate",
      "important",
      "type",
      "domain",
    ],
    ...["cover", "media", "user", "creatorRef", "collection", "collectionId", "sort", "removed", "cache"],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.link),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.note), textOf(bookmark.excerpt)),
      ...tagsIn(bookmark.tags),
      date: dateOf(bookmark.created),
      isImportant: bookmark.important === true,
    }),
});

/** Links of LinkAce's API. A link in several lists gets a tag for each. */
export const linkaceApi = listFormat("linkace", {
  lists: ["data"],
  members: [
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
  toRow: (link) => {
    const { tagNames, hasUnreadTags, tags } = tagsIn(link.tags);
    const lists = tagsIn(link.lists);
    return makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: paragraphs(textOf(link.description)),
      tags,
      tagNames: [...tagNames, ...lists.tagNames],
      hasUnreadTags: hasUnreadTags || lists.hasUnreadTags,
      date: dateOf(link.created_at),
      isPrivate: isSet(link.is_private),
    });
  },
});

/** How the bookmarks of a format are read that are in lists inside an array of the outermost object. */
interface NestedReader {
  /** The name of the array of lists, and of the array of bookmarks in each. */
  readonly outer: string;
  readonly inner: string;
  /** The members of a bookmark that are read, or that say nothing to people. */
  readonly members: readonly string[];
  /** @param number of the list in the file. @returns a name of null for a list that is no folder */
  listOf(members: JsonObject, number: number): { id: string; name: string | null; parentId: string | null };
  toRow(members: JsonObject, folder: Folder): ReturnType<typeof makeRow>;
}

/** Since outer lists may follow inner ones, and names their bookmarks, the file is read twice. */
function nestedFormat(name: FormatName, format: NestedReader): BookmarkFormat {
  return {
    name,
    rowUnit: "bookmark",
    isUtf8: true,
    async read(reading) {
      const lists = new Map<string, List>();
      const numbered = new Map<number, string>();
      await walkNested(reading, format, ({ members, parent, number }) => {
        if (parent !== null) return;
        const { id, name, parentId } = format.listOf(members, number);
        numbered.set(number, id);
        if (name !== null) lists.set(id, { name, parentId });
      });
      const folderOf = folders(lists);
      const leftOut = new LeftOut(format.members);
      let [rows, texts] = [0, 0];
      const syntaxError = await walkNested(reading, format, ({ members, parent }) => {
        if (parent === null) return;
        rows++;
        if (textOf(members.textContent) !== "") texts++;
        leftOut.look(members);
        reading.onRow(format.toRow(members, folderOf(numbered.get(parent.number) ?? "")));
      });
      for (const note of leftOut.notes()) reading.onNote(note);
      if (texts > 0) reading.onNote(notKeptNote({ texts }));
      return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
    },
  };
}

function walkNested(
  { text }: FormatInput,
  { outer: lists, inner }: NestedReader,
  onItem: (item: JsonItem) => void,
): Promise<string | null> {
  const treat = ({ within, outer, isArray, name }: JsonPosition): Treatment => {
    if (within === null) return "walk";
    if (within === "item") return isArray && name === inner ? "walk" : "keep";
    if (outer?.isArray) return "item";
    return isArray && name === lists ? "walk" : "skip";
  };
  return walkJson(text, { treat, onItem });
}

/** A list of bookmarks that can be inside another one. */
interface List {
  readonly name: string;
  readonly parentId: string | null;
}

/** The maximum depth of lists; this also ends cycles. */
const DEPTH_MAX = 20;

/** The folder of each list, made of the names of those around it. */
function folders(lists: ReadonlyMap<string, List>): (id: string) => Folder {
  const known = new Map<string, Folder>();
  return (id) => {
    const folder = known.get(id) ?? folderOfList(lists, id);
    known.set(id, folder);
    return folder;
  };
}

function folderOfList(lists: ReadonlyMap<string, List>, id: string): Folder {
  const names: string[] = [];
  for (let at: string | null = id; at !== null && names.length < DEPTH_MAX; ) {
    const list = lists.get(at);
    if (list !== undefined) names.unshift(list.name);
    at = list?.parentId ?? null;
  }
  return names.reduce((folder, name) => folder.inner(name, false), Folder.root);
}
