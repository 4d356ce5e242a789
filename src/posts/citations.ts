import type { Database, Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { PostKind } from "../records/publication-members.ts";
import type { ParsedQuery } from "../search/query/query.ts";
import type { Search } from "../search/search.ts";
import type { OpenDraft } from "./editing/edit-store.ts";
import { linkedPage, linkedPages } from "./linked-pages.ts";
import { findLinkPosts } from "./publication/link-posts.ts";
import { listNewestOf, type SitePost } from "./site-posts.ts";

/** Posts that are named. */
const NAMED = 20;
/** Posts that are looked for. */
const POSTS_MAX = 1_000;

/** A published post that links to a page. */
export type Citation = Pick<SitePost, "id" | "title" | "slug" | "publishedAt" | "language"> & {
  readonly kind: PostKind;
};

/** The published posts that link to a page. */
export interface Citations {
  /** The newest ones. */
  readonly posts: readonly Citation[];
  /** The number of further posts. */
  readonly more: number;
}

/** Finds the published posts that link to the page of a URL. */
export type FindPostsLinkingTo = (url: string) => Promise<Citations>;

/** @param search of posts */
export function citationFinder(database: Database, search: Search): FindPostsLinkingTo {
  return async (url) => {
    const links = await findLinkPosts(database.read, url);
    const ids = new Set([...links.slice(0, POSTS_MAX), ...(await mentioning(search, linkedPage(url)))]);
    const { posts, total } = await listNewestOf(database.read, [...ids], NAMED);
    return { posts, more: total - posts.length };
  };
}

/** The most recently changed working copies are searched. */
const DRAFTS_MAX = 200;

/** Working copies whose texts link to the page of a URL, written in this form; the one that was changed last is the first. */
export async function findDraftsLinkingTo(sql: Sql, url: string): Promise<OpenDraft[]> {
  const pattern = `%${url.replace(/[~%_]/g, "~$&")}%`;
  const rows = await sql<OpenDraft & { content: string }>`
    select key, title, content
    from (select key, title, content, updated_at from edits order by updated_at desc, key limit ${DRAFTS_MAX}) last
    where content like ${pattern} escape '~' order by updated_at desc, key limit ${NAMED}`;
  const page = linkedPage(url);
  // A longer address may begin with this one.
  return rows.filter(({ content }) => page !== undefined && linkedPages(content).includes(page));
}

/** Published posts whose texts link to a page. The index has a mark for each page, so that no text is read. */
async function mentioning(search: Search, pageHash: string | undefined): Promise<readonly number[]> {
  if (pageHash === undefined) return [];
  const query: ParsedQuery = { root: { type: "linked", pageHash } };
  const visible = fragment`exists (select 1 from posts p where p.id = e.id and p.published = ${true})`;
  return (await search.page({ query, sort: "newest", limit: POSTS_MAX, visible })).ids;
}
