import { sampleBookmarks } from "./data/sample-bookmarks.ts";
import { samplePosts } from "./data/sample-posts.ts";
import type { Request } from "./load.ts";

/** The number of records in a small collection. */
export const SMALL = 1_000;

/** The maximum number of different requests of a load, before it starts over. */
export const DIFFERENT = 20_000;

/** The seed for the bookmarks to create. No data set contains the URLs that it generates. */
const NEW = 3;

/** Fetches bookmarks from all over a collection, in scattered order. */
export function fetchBookmarks(count: number): Request[] {
  return scattered(count, (id) => ({ method: "GET", path: `/bookmarks/${id}` }));
}

/** Fetches posts from all over a collection, in scattered order. */
export function fetchPosts(count: number): Request[] {
  return scattered(count, (id) => ({ method: "GET", path: `/api/posts/${id}/` }));
}

/** Creates bookmarks, no two with the same URL; where there are accounts, in the name of one. */
export function createBookmarks(headers: Readonly<Record<string, string>> = {}): Request[] {
  return Array.from(sampleBookmarks(DIFFERENT, NEW), ({ title, url, description }) => ({
    method: "POST",
    path: "/bookmarks/",
    headers,
    body: JSON.stringify({ title, url, description }),
  }));
}

/** Creates posts in the name of an account. */
export function createPosts(headers: Readonly<Record<string, string>>): Request[] {
  return Array.from(samplePosts(2_000), ({ title, content, published }) => ({
    method: "POST",
    path: "/api/posts/",
    headers,
    body: JSON.stringify({ title, content, published }),
  }));
}

/** The first page of posts. */
export const firstPage: readonly Request[] = [{ method: "GET", path: "/api/posts/" }];

/**
 * A page of posts that cannot be cached: each request has a different query, which appears in the links of
 * its response.
 */
export function freshPages(page: number | "last"): Request[] {
  return Array.from({ length: DIFFERENT }, (_, index) => ({
    method: "GET",
    path: `/api/posts/?page=${page}&fresh=${index}`,
  }));
}

/**
 * Requests for `count` different ids, or for the maximum number of requests. The stride shares no factor with
 * the count.
 */
function scattered(count: number, request: (id: number) => Request): Request[] {
  const stride = 617;
  return Array.from({ length: Math.min(count, DIFFERENT) }, (_, index) =>
    request(((index * stride) % count) + 1),
  );
}
