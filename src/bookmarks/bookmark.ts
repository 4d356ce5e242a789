import { z } from "zod";
import { type BookmarkStates, parseWebUrl, TITLE_MAX, URL_MAX } from "../records/bookmark-members.ts";
import { tagsOf } from "../tags/description-tags.ts";
import { asIssue, Timestamp, text, WEB_URL, WEB_URL_FORMAT } from "../text.ts";

/** An address as people type it: `example.org/page` becomes `https://example.org/page`. */
export function withScheme(typed: string): string {
  const address = typed.trim();
  const isBare = /^[\w.\u0080-\uffff-]+(?::\d{1,5})?(?:[/?#]|$)/.test(address) && address.includes(".");
  return isBare ? `https://${address}` : address;
}

/** A JSON string that {@link parseWebUrl} accepts; the parsed value is its text form. */
export const webUrl = z
  .string()
  .transform((input, context) => {
    const parsed = parseWebUrl(input);
    if ("href" in parsed) return parsed.href;
    context.issues.push(asIssue(parsed.error, input));
    return z.NEVER;
  })
  .meta({
    // What a strict client may send. More is accepted: any URL of the WHATWG URL standard, such as ?q=a|b.
    format: WEB_URL_FORMAT,
    pattern: WEB_URL,
    maxLength: URL_MAX,
    description: `An absolute http or https URL of at most ${URL_MAX} characters, as serialized by the WHATWG URL standard.`,
  });

const title = text({ max: TITLE_MAX }).describe(`At most ${TITLE_MAX} characters; may be empty.`);
const description = text().describe("Free text. Its hashtags are the bookmark's tags.");

/** The heading of the operations on bookmarks in the OpenAPI document. */
export const BOOKMARKS_TAG = {
  name: "Bookmarks",
  description:
    "Bookmarks: each has a title, a URL and a description. The hashtags in the description are its tags.",
};

/** What a client sends to create or replace a bookmark (BookmarkCreate of the specification). */
export const BookmarkCreate = z
  .object({ title, url: webUrl, description: description.default("") })
  .meta({ id: "BookmarkCreate" });

/** Any subset of it, as a JSON merge patch (RFC 7396): `null` removes, which is only valid for a description. */
export const BookmarkPatch = z
  .object({
    title: title.optional(),
    url: webUrl.optional(),
    description: description.nullish().transform((value) => (value === null ? "" : value)),
  })
  .meta({ id: "BookmarkPatch" });

/** A bookmark as it is returned (BookmarkResponse of the specification), members in this order. */
export const BookmarkResponse = z
  .object({
    id: z.int().min(1).describe("Assigned by the server and never reused."),
    title: z.string().describe("Exactly as sent."),
    url: z
      .string()
      .describe("The URL as serialized by the WHATWG URL standard. It is not necessarily an RFC 3986 URI."),
    description: z.string().describe("Exactly as sent; empty if omitted."),
    created_at: Timestamp,
  })
  .meta({ id: "BookmarkResponse" });

/** Additional members, for clients that request them with `include`. */
export const BOOKMARK_EXTRAS = ["tags", "updated_at", "copy", "picture"] as const;

/** A bookmark with the members requested by `include`. */
export const BookmarkDetails = BookmarkResponse.extend({
  tags: z.array(z.string()).optional().describe("With `include=tags`: the names of its tags."),
  updated_at: Timestamp.optional().describe("With `include=updated_at`: the time of the last change."),
  copy: z
    .object({ taken_at: Timestamp, title: z.string(), words: z.int().min(0), origin: z.string() })
    .nullable()
    .optional()
    .describe("With `include=copy`: the newest copy of its page; for accounts and their tokens."),
  picture: z
    .object({
      url: z.string().describe("The path of the WebP on this server. It never changes."),
      width: z.int().min(1),
      height: z.int().min(1),
    })
    .nullable()
    .optional()
    .describe("With `include=picture`: the picture of its page; for accounts and their tokens."),
}).meta({ id: "BookmarkDetails" });

export type BookmarkDetails = z.output<typeof BookmarkDetails>;

export type BookmarkCreate = z.output<typeof BookmarkCreate>;
export type BookmarkPatch = z.output<typeof BookmarkPatch>;
export type BookmarkResponse = z.output<typeof BookmarkResponse>;

/** A stored bookmark. */
export interface Bookmark extends BookmarkStates {
  readonly id: number;
  /** One higher after each change of title, URL or description; for its ETag. */
  readonly version: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly createdAt: Date;
  /** When the version was stored. */
  readonly updatedAt: Date;
  readonly createdBy: number | null;
  /** When the states were changed last; null if none was ever set. */
  readonly statesUpdatedAt: Date | null;
  /** When a link that was put off is to be read again. */
  readonly notBefore: Date | null;
}

/** The members of the response, in the order of the specification. */
export function toResponse(
  bookmark: Pick<Bookmark, "id" | "createdAt" | keyof BookmarkCreate>,
): BookmarkResponse {
  const { id, title, url, description, createdAt } = bookmark;
  return { id, title, url, description, created_at: createdAt.toISOString() };
}

/** A copy of the page of a bookmark. */
export interface CopyOfBookmark extends NonNullable<BookmarkDetails["copy"]> {
  readonly id: number;
}

/** The picture of the page of a bookmark. */
export type PictureOfBookmark = NonNullable<BookmarkDetails["picture"]>;

/** What the response has of the page of a bookmark: its newest copy, and its picture. */
export interface PageOfBookmark {
  readonly copy?: CopyOfBookmark | undefined;
  readonly picture?: PictureOfBookmark | undefined;
}

/** The members of the response and the additionally requested ones. */
export function toDetails(
  bookmark: Bookmark,
  extras: readonly string[] = [],
  { copy, picture }: PageOfBookmark = {},
): BookmarkDetails {
  if (extras.length === 0) return toResponse(bookmark);
  return {
    ...toResponse(bookmark),
    ...(extras.includes("tags") && { tags: tagsOf(bookmark.description) }),
    ...(extras.includes("updated_at") && { updated_at: bookmark.updatedAt.toISOString() }),
    ...(extras.includes("copy") && { copy: copyMember(copy) }),
    ...(extras.includes("picture") && { picture: picture ?? null }),
  };
}

function copyMember(copy: CopyOfBookmark | undefined): BookmarkDetails["copy"] {
  if (copy === undefined) return null;
  const { taken_at, title, words, origin } = copy;
  return { taken_at, title, words, origin };
}
