import { redirectPath } from "../../records/redirect-path.ts";

/** What a path of a blog in another program showed: a list, or the comments of a post; perhaps as a feed. */
export interface OldPath {
  readonly of:
    | { readonly kind: "front" | "archive" }
    | { readonly kind: "tag" | "author" | "post"; readonly name: string }
    | { readonly kind: "year"; readonly year: number };
  readonly feed: "atom" | "rss" | undefined;
  /** The page of a list, from 1. */
  readonly page: number;
}

/** The ends of paths of feeds in WordPress, Ghost, Jekyll, Hugo and Pelican. */
const FEEDS: Readonly<Record<string, "atom" | "rss">> = {
  "atom.xml": "atom",
  "feed.xml": "atom",
  "feeds/all.atom.xml": "atom",
  "feed/atom": "atom",
  feed: "rss",
  rss: "rss",
  "feed/rss": "rss",
  "feed/rss2": "rss",
  "index.xml": "rss",
  "rss.xml": "rss",
};

/** The first segments of lists of posts with a tag or category. */
const TAGS = new Set(["tag", "tags", "category", "categories"]);

/**
 * Reads a path as those of other programs for blogs are made.
 * @param path without a query, in any form
 * @returns undefined for a path that no such list or feed has
 */
export function readOldPath(path: string): OldPath | undefined {
  const plain = redirectPath(path);
  if (plain === undefined) return undefined;
  let steps = plain.slice(1).split("/");
  let feed: OldPath["feed"];
  for (const count of [2, 1]) {
    const found = steps.length < count ? undefined : FEEDS[steps.slice(-count).join("/").toLowerCase()];
    if (feed !== undefined || found === undefined) continue;
    feed = found;
    steps = steps.slice(0, -count);
  }
  let page = 1;
  if (feed === undefined && steps.at(-2) === "page" && /^[1-9]\d{0,5}$/.test(steps.at(-1) ?? "")) {
    page = Number(steps.at(-1));
    steps = steps.slice(0, -2);
  }
  const of = subjectOf(steps, feed);
  return of && { of, feed, page };
}

function subjectOf(steps: readonly string[], feed: OldPath["feed"]): OldPath["of"] | undefined {
  const [first = "", second = ""] = steps;
  const last = steps.at(-1) ?? "";
  if (steps.length === 0 || (steps.length === 1 && /^(?:blog|posts)$/.test(first))) return { kind: "front" };
  if (steps.length > 1 && TAGS.has(first)) return { kind: "tag", name: last };
  if (steps.length === 2 && /^authors?$/.test(first)) return { kind: "author", name: second };
  if (feed !== undefined) return { kind: "post", name: `/${steps.join("/")}` };
  if (steps.length === 1 && /^(?:archives|categories|tags)$/.test(first)) return { kind: "archive" };
  const isDated = steps.length <= 2 && /^(?:19|20)\d\d$/.test(first) && /^(?:|0[1-9]|1[0-2])$/.test(second);
  return isDated ? { kind: "year", year: Number(first) } : undefined;
}
