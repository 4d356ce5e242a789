import { dateOf } from "../reading/foreign-values.ts";
import type { Members } from "./members.ts";

/** The member by which a generator leaves a file out of its site, or Obsidian out of what it publishes. */
export function hiddenBy(members: Members, now: Date): string | undefined {
  const build = (members.peek("_build") ?? {}) as { readonly render?: unknown };
  const expiry = dateOf(members.peek("expiryDate"));
  if (members.peek("headless") === true) return "headless";
  if (build.render === false || build.render === "never") return "build";
  if (expiry !== undefined && expiry <= now) return "expiryDate";
  if (members.peek("permalink") === false) return "permalink";
  // Buttondown's.
  if (/^(?:private|premium)$/.test(String(members.take("email_type")))) return "email_type";
  return members.peek("publish") === false ? "publish" : undefined;
}

/**
 * Members by which a file says that it is a post of a site. Titles, tags, URLs and dates of creation are not among
 * them: private notes and clippings have these, too.
 */
const OF_POSTS = [
  ...["date", "pubDate", "pubDatetime", "publishDate", "published_at", "layout", "permalink", "slug"],
];

/**
 * Why a file is not for readers as far as anyone can see, so that it becomes a draft; undefined if it says that it is.
 * @param members undefined without front matter
 * @param isOfSite whether it belongs to a site of Hugo or Jekyll, which publish every file with front matter
 * @param isNote whether it belongs to a vault of Obsidian, or has links that only such programs follow
 */
export function whyNotForReaders(
  members: Members | undefined,
  { isOfSite, isNote }: { readonly isOfSite: boolean; readonly isNote: boolean },
): string | undefined {
  if (members === undefined) return "a file without front matter is not";
  if (isOfSite || members.peek("publish") === true) return undefined;
  if (isNote) return "a note is only if it says “publish: true”";
  const isPost =
    OF_POSTS.some((name) => members.peek(name) !== undefined) ||
    members.peek("draft") === false ||
    members.peek("published") === true;
  return isPost ? undefined : "their front matter does not say so, such as by a date, a slug or a layout";
}
