import type { Database } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import { anyOf, type ParsedQuery } from "../search/query/query.ts";
import type { Search } from "../search/search.ts";
import { pageHash } from "../search/text/page-key.ts";
import { tokensOf } from "../search/text/tokens.ts";
import { withoutEnd } from "../text.ts";
import type { PostKind } from "./publication/publication.ts";
import { listByIds, type SitePost } from "./site-posts.ts";

/** Posts that are checked, and posts that are listed. */
const LOOKED_AT = 200;
const NAMED = 20;

/** A published post that leads to a page. */
export type Citation = Pick<SitePost, "id" | "title" | "slug" | "publishedAt" | "language"> & {
  readonly kind: PostKind;
};

/** Finds the published posts that lead to the page of a URL, newest first. */
export type FindPostsLinkingTo = (url: string) => Promise<readonly Citation[]>;

/** @param search of posts */
export function citationFinder(database: Database, search: Search): FindPostsLinkingTo {
  return async (url) => {
    const page = pageHash(withEscapes(url));
    const linked = await database.read<{ post_id: number }>`
      select post_id from publications where link = ${url} order by post_id desc limit ${NAMED}`;
    const posts = await listByIds(database.read, [
      ...new Set([...linked.map(({ post_id }) => Number(post_id)), ...(await mentioning(search, url))]),
    ]);
    return posts
      .filter(({ link, content }) => [link ?? "", ...urlsIn(content)].some((other) => leadsTo(other, page)))
      .toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime() || other.id - one.id)
      .slice(0, NAMED);
  };
}

/** Posts with the words of a URL, one after the other: whether these are a link to it, their texts say. */
async function mentioning(search: Search, url: string): Promise<readonly number[]> {
  // The scheme and what follows the path may differ.
  const { hostname, pathname } = new URL(url);
  const address = hostname.replace(/^www\./, "") + pathname;
  const nodes = [...new Set([address, withEscapes(address)])].flatMap((written) => {
    const tokens = [...tokensOf(written)].filter(({ isExtra }) => !isExtra).map(({ text }) => text);
    return tokens.length === 0 ? [] : [{ type: "term", field: "body", tokens, isPrefix: false } as const];
  });
  if (nodes.length === 0) return [];
  const query: ParsedQuery = { root: anyOf(nodes) };
  const visible = fragment`exists (select 1 from posts p where p.id = e.id and p.published = ${true})`;
  await search.caughtUp();
  return (await search.page({ query, sort: "newest", limit: LOOKED_AT, visible })).ids;
}

/** What in a Markdown text may be a URL: links, references, addresses in angle brackets and bare ones. */
function urlsIn(content: string): string[] {
  return [...content.matchAll(/https?:\/\/[^\s<>"'`]+/gi)].flatMap(([found]) => {
    // A parenthesis or a full stop after a URL may belong to the text around it, or to the URL.
    const shorter = withoutEnd(found, ").,;:!?*_]");
    const beforeParenthesis = found.split(")")[0] ?? "";
    return [...new Set([found, shorter, beforeParenthesis])];
  });
}

function leadsTo(url: string, page: string): boolean {
  const href = URL.parse(url)?.href;
  return href !== undefined && pageHash(withEscapes(href)) === page;
}

/** Writers of Markdown escape parentheses, which would end a link. */
function withEscapes(url: string): string {
  return url.replaceAll("(", "%28").replaceAll(")", "%29");
}
