import { ghostAuthorId, toGhostAuthor } from "./ghost-authors.ts";
import type { GhostContext } from "./ghost-context.ts";
import { type OrderTerm, pagination } from "./ghost-query.ts";
import { listGhostTags, toGhostTag } from "./ghost-tags.ts";
import type { Comparison, NqlFilter } from "./nql.ts";
import { badParameter, ghostNotFound } from "./operation.ts";

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

/** The fields by which a tag or an author can be filtered and ordered. */
export type FilterableRecord = Readonly<Record<string, string | number | boolean | null>>;

/** Whether a record matches a filter. @throws Refusal `malformed` for an unknown field */
export function matchesFilter(filter: NqlFilter, record: FilterableRecord): boolean {
  if (filter.kind === "comparison") return isEqual(filter, record) !== filter.not;
  const matches = (part: NqlFilter) => matchesFilter(part, record);
  return filter.kind === "and" ? filter.parts.every(matches) : filter.parts.some(matches);
}

function isEqual({ field, operator, values, position }: Comparison, record: FilterableRecord): boolean {
  if (!Object.hasOwn(record, field))
    throw badParameter("filter", `There is no filter for the field ${field}.`, position);
  const own = record[field] ?? null;
  if (operator === "in") return values.some((value) => String(value) === String(own));
  const other = Number(values[0]);
  if (typeof own !== "number" || Number.isNaN(other))
    throw badParameter("filter", `${field} cannot be compared with < or >.`, position);
  if (operator === ">") return own > other;
  if (operator === ">=") return own >= other;
  return operator === "<" ? own < other : own <= other;
}

/** Checks the fields of a filter even if there is no record to match. */
export function checkFilter(filter: NqlFilter, example: FilterableRecord): void {
  if (filter.kind === "comparison") isEqual(filter, example);
  else for (const part of filter.parts) checkFilter(part, example);
}

/** Makes a function that compares two records. @throws Refusal `malformed` for an unknown field */
export function recordComparator(order: readonly OrderTerm[], example: FilterableRecord) {
  for (const { field } of order)
    if (!Object.hasOwn(example, field))
      throw badParameter("order", `These records cannot be ordered by ${field}.`);
  return (one: FilterableRecord, other: FilterableRecord): number => {
    for (const { field, descending } of order) {
      const [a, b] = [one[field] ?? "", other[field] ?? ""];
      if (a !== b) return a < b === descending ? 1 : -1;
    }
    return 0;
  };
}
