import { makeRow, paragraphs, plainPage } from "../../bookmark-format.ts";
import { Folder } from "../../folder.ts";
import { dateOf, lineOf, listFormat, objectOf, textOf } from "../json-lists.ts";
import type { JsonObject } from "../json-walk.ts";
import { nestedFormat } from "../nested-lists.ts";
import { tagsIn } from "../tags.ts";

/** The collection of links that were put into none. */
const UNORGANIZED = "unorganized";

/** The members of a link of Linkwarden. */
const LINKWARDEN_MEMBERS = [
  ...[
    "id",
    "name",
    "type",
    "description",
    "metaDescription",
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
  listOf: ({ id, name, parentId, description }) => {
    const outer = parentId == null ? null : String(parentId);
    const isNone = outer === null && lineOf(name).trim().toLowerCase() === UNORGANIZED;
    return {
      ...{ id: String(id), name: isNone ? null : lineOf(name).trim(), parentId: outer },
      description: textOf(description),
    };
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
    // The second is of the page.
    description: paragraphs(textOf(link.description), textOf(link.metaDescription)),
    ...tagsIn(link.tags),
    date: dateOf(link.importDate ?? link.createdAt),
    folder,
    page: plainPage(textOf(link.textContent)),
    // Of its API alone.
    isImportant: Array.isArray(link.pinnedBy) && link.pinnedBy.length > 0,
  });
}
