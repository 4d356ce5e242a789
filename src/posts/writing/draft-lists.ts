import type { Instant, Sql } from "../../database/database.ts";
import { type Fragment, fragment, joined } from "../../database/fragment.ts";
import { LISTED, PAGES } from "../post-row.ts";

/** The lists of *Write*. */
export const DRAFT_LISTS = ["drafts", "changes", "scheduled", "published", "pages"] as const;
export type DraftList = (typeof DRAFT_LISTS)[number];

/** A text to go on with: a working copy, or a post that has none. */
export interface DraftRow {
  /** The key of the working copy. */
  readonly key: string | undefined;
  readonly post: number | undefined;
  readonly title: string;
  /** When it was changed, when it was published, or when it will be. */
  readonly at: Date;
}

interface Row {
  readonly edit_key: string | null;
  readonly post_id: number | null;
  readonly title: string;
  readonly at: Instant;
}

/**
 * Texts of a list. A working copy of something unpublished and a draft without one are both drafts, and the same holds
 * for what is scheduled. @param words all of which are in the title or the text
 */
export async function listDrafts(
  sql: Sql,
  list: DraftList,
  {
    words,
    limit,
    offset,
  }: { readonly words: readonly string[]; readonly limit: number; readonly offset: number },
): Promise<DraftRow[]> {
  const texts = LISTS[list](words);
  const rows = await sql<Row>`
    select edit_key, post_id, title, at from (${texts}) texts
    order by ${ORDERS[list]}, post_id desc, edit_key limit ${limit} offset ${offset}`;
  return rows.map(({ edit_key, post_id, title, at }) => ({
    key: edit_key ?? undefined,
    post: post_id === null ? undefined : Number(post_id),
    title,
    at: new Date(at),
  }));
}

const LISTS: Readonly<Record<DraftList, (words: readonly string[]) => Fragment>> = {
  drafts: (words) => fragment`
    select edits.key as edit_key, edits.post_id, edits.title, edits.updated_at as at
    from edits left join posts on posts.id = edits.post_id
    where (posts.id is null or (published = ${false} and publish_at is null)) and ${has(words, fragment`edits`)}
    union all
    select cast(null as text), posts.id, posts.title, posts.updated_at
    from posts where published = ${false} and publish_at is null and ${WITHOUT_EDIT} and ${has(words, fragment`posts`)}`,
  changes: (words) => fragment`
    select edits.key as edit_key, edits.post_id, edits.title, edits.updated_at as at
    from edits join posts on posts.id = edits.post_id where published = ${true} and ${has(words, fragment`edits`)}`,
  scheduled: (words) => fragment`
    select edits.key as edit_key, edits.post_id, edits.title, publish_at as at
    from posts join edits on edits.post_id = posts.id where publish_at is not null and ${has(words, fragment`edits`)}
    union all
    select cast(null as text), posts.id, posts.title, publish_at
    from posts where publish_at is not null and ${WITHOUT_EDIT} and ${has(words, fragment`posts`)}`,
  published: (words) => fragment`
    select cast(null as text) as edit_key, posts.id as post_id, title, published_at as at
    from posts where ${LISTED} and ${has(words, fragment`posts`)}`,
  pages: (words) => fragment`
    select cast(null as text) as edit_key, posts.id as post_id, title, posts.published_at as at
    from posts where ${PAGES} and ${has(words, fragment`posts`)}`,
};

const WITHOUT_EDIT = fragment`not exists (select 1 from edits where edits.post_id = posts.id)`;

const ORDERS: Readonly<Record<DraftList, Fragment>> = {
  drafts: fragment`at desc`,
  changes: fragment`at desc`,
  scheduled: fragment`at`,
  published: fragment`at desc`,
  pages: fragment`title`,
};

/** A condition: the title or the text has each of the words. */
function has(words: readonly string[], table: Fragment): Fragment {
  if (words.length === 0) return fragment`1 = 1`;
  const conditions = words.map((word) => {
    const pattern = `%${word.toLowerCase().replace(/[~%_]/g, "~$&")}%`;
    return fragment`(lower(${table}.title) like ${pattern} escape '~' or lower(${table}.content) like ${pattern} escape '~')`;
  });
  return joined(conditions, fragment` and `);
}
