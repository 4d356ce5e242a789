import { type Fragment, fragment, joined } from "../../database/fragment.ts";
import type { GhostAuthor } from "./ghost-authors.ts";
import type { GhostResource } from "./ghost-post-store.ts";
import type { OrderTerm } from "./ghost-query.ts";
import type { GhostTag } from "./ghost-tags.ts";
import type { Comparison, NqlFilter, NqlValue } from "./nql.ts";
import { badParameter } from "./operation.ts";

/** How the fields of a filter map to the database. */
export interface FilterNames {
  readonly tags: readonly GhostTag[];
  readonly authors: readonly GhostAuthor[];
  /** Fields with the same value for all posts of the list. */
  readonly constants: Readonly<Record<string, NqlValue>>;
}

const TEXTS: Readonly<Record<string, Fragment>> = {
  slug: fragment`slug`,
  title: fragment`title`,
  feature_image: fragment`image`,
  custom_excerpt: fragment`summary`,
  canonical_url: fragment`canonical_url`,
};
const DATES: Readonly<Record<string, Fragment>> = {
  published_at: fragment`posts.published_at`,
  created_at: fragment`posts.created_at`,
  updated_at: fragment`posts.updated_at`,
};
const TAG_FIELDS = new Set(["tag", "tags", "tag.slug", "tags.slug"]);
const AUTHOR_FIELDS = new Set([
  ...["author", "authors", "author.slug", "authors.slug", "primary_author", "primary_author.slug"],
]);

/**
 * A filter of posts as an SQL condition on `posts`.
 * @throws Refusal `malformed` for an unknown field or value: a filter is never ignored
 */
export function filterCondition(filter: NqlFilter, names: FilterNames): Fragment {
  if (filter.kind === "comparison") return comparisonOf(filter, names);
  const parts = filter.parts.map((part) => filterCondition(part, names));
  const separator = filter.kind === "and" ? fragment` and ` : fragment` or `;
  return fragment`(${joined(parts, separator)})`;
}

/** The `order by` clause of posts; ties are broken by id. @throws Refusal `malformed` for an unknown field */
export function orderClause(order: readonly OrderTerm[], kind: GhostResource): Fragment {
  if (order.length === 0 && kind === "posts") return fragment`posts.published_at desc, posts.id desc`;
  const parts = order.flatMap(({ field, descending }) => {
    // The same for every post.
    if (field === "featured") return [];
    const column = field === "id" ? fragment`posts.id` : (DATES[field] ?? SORTED_TEXTS[field]);
    if (column === undefined) throw badParameter("order", `Posts cannot be ordered by ${field}.`);
    return [descending ? fragment`${column} desc` : column];
  });
  const given = parts.length > 0 ? parts : [fragment`posts.published_at desc`];
  return joined([...given, fragment`posts.id desc`], fragment`, `);
}

const SORTED_TEXTS: Readonly<Record<string, Fragment>> = { title: fragment`title`, slug: fragment`slug` };

function comparisonOf(comparison: Comparison, names: FilterNames): Fragment {
  const { field, not } = comparison;
  const condition = positiveOf(comparison, names);
  if (condition === undefined)
    throw badParameter("filter", `There is no filter for the field ${field}.`, comparison.position);
  return not ? fragment`not ${condition}` : condition;
}

function positiveOf(comparison: Comparison, { tags, authors, constants }: FilterNames): Fragment | undefined {
  const { field } = comparison;
  const text = Object.hasOwn(TEXTS, field) ? TEXTS[field] : undefined;
  const date = Object.hasOwn(DATES, field) ? DATES[field] : undefined;
  if (text !== undefined) return onText(comparison, text);
  if (date !== undefined) return onDate(comparison, date);
  if (field === "id") return onIds(fragment`posts.id`, equalTo(comparison).map(asId));
  if (Object.hasOwn(constants, field)) return always(equalTo(comparison).includes(constants[field] ?? null));
  if (TAG_FIELDS.has(field) || field === "primary_tag" || field === "primary_tag.slug")
    return onTags(comparison, tags, field.startsWith("primary"));
  if (AUTHOR_FIELDS.has(field)) return onAuthors(comparison, authors);
  return undefined;
}

function onText(comparison: Comparison, column: Fragment): Fragment {
  const { operator, values } = comparison;
  const conditions = values.map((value) => {
    if (value === null && operator === "in") return fragment`${column} is null`;
    if (typeof value !== "string") throw wrongValue(comparison, "a text");
    return fragment`(${column} is not null and ${compared(column, operator, value)})`;
  });
  return anyOf(conditions);
}

function onDate(comparison: Comparison, column: Fragment): Fragment {
  return anyOf(
    comparison.values.map((value) => {
      const date = typeof value === "string" ? dateIn(value) : undefined;
      if (date === undefined) throw wrongValue(comparison, "a date such as '2026-11-22 08:00:00'");
      return fragment`(${compared(column, comparison.operator, date)})`;
    }),
  );
}

function onTags(comparison: Comparison, tags: readonly GhostTag[], isPrimary: boolean): Fragment {
  const wanted = equalTo(comparison);
  const conditions = tags
    .filter(({ slug }) => wanted.includes(slug))
    .map(({ key }) => (isPrimary ? fragment`(key = ${key} and position = 1)` : fragment`key = ${key}`));
  const isUntagged = wanted.includes(null);
  const parts = [
    ...(conditions.length > 0
      ? [fragment`posts.id in (select post_id from post_tags where ${joined(conditions, fragment` or `)})`]
      : []),
    ...(isUntagged ? [fragment`posts.id not in (select post_id from post_tags)`] : []),
  ];
  return anyOf(parts);
}

function onAuthors(comparison: Comparison, authors: readonly GhostAuthor[]): Fragment {
  const wanted = equalTo(comparison);
  const known = authors.filter(({ accountId }) => accountId !== undefined);
  const found = authors.filter(({ slug }) => wanted.includes(slug));
  return anyOf(
    found.map(({ accountId }) =>
      accountId === undefined
        ? fragment`(created_by is null or not ${onIds(
            fragment`created_by`,
            known.map((author) => author.accountId),
          )})`
        : fragment`(created_by is not null and created_by = ${accountId})`,
    ),
  );
}

/** The values of a comparison that allows only equality. */
function equalTo(comparison: Comparison): readonly NqlValue[] {
  if (comparison.operator !== "in")
    throw badParameter("filter", `${comparison.field} cannot be compared with < or >.`, comparison.position);
  return comparison.values;
}

function compared(column: Fragment, operator: Comparison["operator"], value: string | Date): Fragment {
  if (operator === "in") return fragment`${column} = ${value}`;
  if (operator === ">") return fragment`${column} > ${value}`;
  if (operator === ">=") return fragment`${column} >= ${value}`;
  return operator === "<" ? fragment`${column} < ${value}` : fragment`${column} <= ${value}`;
}

function onIds(column: Fragment, ids: readonly (number | undefined)[]): Fragment {
  const known = ids.filter((id) => id !== undefined);
  return known.length === 0 ? always(false) : fragment`${column} in ${known}`;
}

function anyOf(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? always(false) : fragment`(${joined(conditions, fragment` or `)})`;
}

function always(is: boolean): Fragment {
  return is ? fragment`(1 = 1)` : fragment`(1 = 0)`;
}

/** Text that is not an id matches no post. */
function asId(value: NqlValue): number | undefined {
  return typeof value === "string" && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined;
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** A day, an instant (UTC without a zone), or a relative time such as `now-7d`. */
function dateIn(text: string): Date | undefined {
  const [, count, unit = ""] = /^now(?:-(\d{1,6})([smhdw]))?$/.exec(text) ?? [];
  if (text.startsWith("now")) {
    if (text !== "now" && count === undefined) return undefined;
    return new Date(Date.now() - Number(count ?? 0) * (UNITS[unit] ?? 0));
  }
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text))
    return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  const iso = text.replace(" ", "T");
  const date = new Date(text.length > 10 && !hasZone ? `${iso}Z` : iso);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function wrongValue({ field, position }: Comparison, expected: string) {
  return badParameter("filter", `${field} must be compared with ${expected}.`, position);
}
