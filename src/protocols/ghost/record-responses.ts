import { ghostAuthorId, toGhostAuthor } from "./ghost-authors.ts";
import type { GhostContext } from "./ghost-context.ts";
import { pagination } from "./ghost-query.ts";
import { listGhostTags, toGhostTag } from "./ghost-tags.ts";
import { ghostNotFound } from "./operation.ts";
import { checkFilter, type FilterableRecord, matchesFilter, recordComparator } from "./record-filter.ts";

/** A tag or an author: its fields for filters and orders, and its JSON. */
interface Listed {
  readonly by: FilterableRecord;
  readonly shown: Readonly<Record<string, unknown>>;
}

const EXAMPLE: FilterableRecord = { id: "", slug: "", name: "", visibility: "public", "count.posts": 0 };

/** `{"tags": […], "meta": …}` */
export async function tagListJson(context: GhostContext): Promise<string> {
  return listJson("tags", await tagsOf(context), context);
}

/** `{"tags": [{…}]}`: one, by its id or slug. */
export async function tagJson(context: GhostContext): Promise<string> {
  return recordJson("tags", "Tag", await tagsOf(context), context);
}

export async function authorListJson(context: GhostContext): Promise<string> {
  return listJson("authors", await authorsOf(context), context);
}

export async function authorJson(context: GhostContext): Promise<string> {
  return recordJson("authors", "Author", await authorsOf(context), context);
}

/** An empty list: there are no paid tiers. */
export async function tierListJson(context: GhostContext): Promise<string> {
  return listJson("tiers", [], context);
}

async function tagsOf({ read, origin, query }: GhostContext): Promise<Listed[]> {
  const withCount = query.include.includes("count.posts");
  return (await listGhostTags(read)).map((tag) => ({
    by: { id: tag.id, slug: tag.slug, name: tag.name, visibility: "public", "count.posts": tag.posts },
    shown: toGhostTag(tag, origin, withCount),
  }));
}

async function authorsOf({ authors, origin, query }: GhostContext): Promise<Listed[]> {
  const withCount = query.include.includes("count.posts");
  return (await authors()).map((author) => ({
    by: {
      id: ghostAuthorId(author),
      slug: author.slug,
      name: author.name,
      visibility: "public",
      "count.posts": author.posts,
    },
    shown: toGhostAuthor(author, origin, withCount),
  }));
}

function listJson(name: string, all: readonly Listed[], { query }: GhostContext): string {
  const { filter, order, page, limit } = query;
  if (filter !== undefined) checkFilter(filter, EXAMPLE);
  const compare = recordComparator(
    order.length > 0 ? order : [{ field: "name", descending: false }],
    EXAMPLE,
  );
  const found = all
    .filter(({ by }) => filter === undefined || matchesFilter(filter, by))
    .toSorted((one, other) => compare(one.by, other.by));
  const shown = found.slice((page - 1) * limit, page * limit).map((listed) => selected(listed, query.fields));
  return JSON.stringify({ [name]: shown, meta: pagination(query, found.length) });
}

function recordJson(
  name: string,
  noun: string,
  all: readonly Listed[],
  { params, query }: GhostContext,
): string {
  const found = all.find(({ by }) =>
    params.slug === undefined ? by.id === params.id : by.slug === params.slug,
  );
  if (found === undefined) throw ghostNotFound(noun);
  return JSON.stringify({ [name]: [selected(found, query.fields)] });
}

function selected({ shown }: Listed, fields: readonly string[] | undefined): Listed["shown"] {
  if (fields === undefined) return shown;
  return Object.fromEntries(
    Object.entries(shown).filter(([name]) => fields.includes(name) || name === "count"),
  );
}
