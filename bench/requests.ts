import { sampleBookmarks } from "./data/sample-bookmarks.ts";
import { samplePosts } from "./data/sample-posts.ts";
import type { Request } from "./load.ts";

/** Records in a small collection. */
export const SMALL = 1_000;

/** How many different requests a load sends at most before it begins again. */
export const DIFFERENT = 20_000;

/** Of what is created nothing should be there already. */
const NEW = 3;

/** Fetches bookmarks all over a collection, in an order without order. */
export function fetchBookmarks(count: number): Request[] {
  return scattered(count, (id) => ({ method: "GET", path: `/bookmarks/${id}` }));
}

/** Fetches posts all over a collection, in an order without order. */
export function fetchPosts(count: number): Request[] {
  return scattered(count, (id) => ({ method: "GET", path: `/api/posts/${id}/` }));
}

/** Creates bookmarks, no two with the same URL. */
export function createBookmarks(): Request[] {
  return Array.from(sampleBookmarks(DIFFERENT, NEW), ({ title, url, description }) => ({
    method: "POST",
    path: "/bookmarks/",
    body: JSON.stringify({ title, url, description }),
  }));
}

/** Creates posts in somebody's name. */
export function createPosts(headers: Readonly<Record<string, string>>): Request[] {
  return Array.from(samplePosts(2_000), ({ title, content, published }) => ({
    method: "POST",
    path: "/api/posts/",
    headers,
    body: JSON.stringify({ title, content, published }),
  }));
}

/** The first page of posts, as readers ask for it. */
export const firstPage: readonly Request[] = [{ method: "GET", path: "/api/posts/" }];

/** The same with the header that browsers send. */
export const firstPageForBrowsers: readonly Request[] = firstPage.map((request) => ({
  ...request,
  headers: { "accept-encoding": "gzip, deflate, br, zstd" },
}));

/**
 * A page of posts that cannot have been kept ready from before: each request has another query, which stands
 * in the links of its answer.
 */
export function freshPages(page: number | "last"): Request[] {
  return Array.from({ length: DIFFERENT }, (_, index) => ({
    method: "GET",
    path: `/api/posts/?page=${page}&fresh=${index}`,
  }));
}

/** Each of `count` ids once, or so many of them: by a stride that shares no factor with the count. */
function scattered(count: number, request: (id: number) => Request): Request[] {
  const stride = 617;
  return Array.from({ length: Math.min(count, DIFFERENT) }, (_, index) =>
    request(((index * stride) % count) + 1),
  );
}
