import type { SiteZone } from "../../decoding/foreign-dates.ts";
import type { Mark, Words } from "../reading/foreign-visibility.ts";
import { firstDate, memberKey, PUBLICATION_DATES, placeOfDate } from "../reading/foreign-visibility.ts";
import type { Members } from "./members.ts";

/** Words of status and visibility that the generators share. */
const COMMON = { published: "public", publish: "public", public: "public", draft: "draft" } as const;

/** The words of front matter that mean for sure that a post is public, or what its program does with it. */
const WORDS: Words = {
  status: { ...COMMON, scheduled: "scheduled" },
  state: { ...COMMON, scheduled: "scheduled" },
  visibility: { public: "public" },
  // Buttondown's; those of the archive are on the site and were not sent.
  emailtype: { public: "public", archival: "public" },
};

/** The same of Buttondown, whose emails are on the site once they are sent. */
const WORDS_OF_EMAILS: Words = {
  ...WORDS,
  status: { ...WORDS.status, sent: "public", imported: "public" },
};

/** @param isEmail whether it is an email of Buttondown */
export function wordsOf(isEmail: boolean): Words {
  return isEmail ? WORDS_OF_EMAILS : WORDS;
}

/** The marks of a post apart from its dates of publication, and these in their order. */
export function splitDates(marks: readonly Mark[]): {
  readonly others: readonly Mark[];
  readonly dates: readonly Mark[];
} {
  const placeOf = ({ name, hides }: Mark) => (hides ? -1 : placeOfDate(name));
  return {
    others: marks.filter((mark) => placeOf(mark) === -1),
    dates: marks
      .filter((mark) => placeOf(mark) !== -1)
      .toSorted((one, other) => placeOf(one) - placeOf(other)),
  };
}

/** The date of a post: of its members for it, or of a flag that may be one. */
export function publicationDate(
  dates: readonly Mark[],
  others: readonly Mark[],
  zone: SiteZone | undefined,
): Date | undefined {
  const flags = others.filter(
    ({ name, hides }) => !hides && /^(?:publish(?:ed)?|posted)$/.test(memberKey(name)),
  );
  return firstDate(dates, zone) ?? firstDate(flags, zone);
}

/**
 * Members by which a file says that it is a post of a site. Titles, tags, URLs and dates of creation are not among
 * them: private notes and clippings have these, too.
 */
const OF_POSTS = [
  ...PUBLICATION_DATES.filter((name) => !/created/i.test(name)),
  ...["layout", "permalink", "slug"],
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
