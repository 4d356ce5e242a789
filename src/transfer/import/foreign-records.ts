import { redirectPath } from "../../posts/publication/redirects.ts";
import { slugFrom } from "../../posts/publication/slug.ts";
import { htmlToPostContent, textOfHtml } from "../html/html-content.ts";
import { withLazyPictures } from "../html/lazy-pictures.ts";
import { lineOf, storable, tagsFrom } from "../reading/foreign-values.ts";
import type { RecordLocation } from "./record.ts";
import type { StagedRecords } from "./staged-records.ts";

/** A post as another program has it. */
export interface ForeignPost {
  readonly location: RecordLocation;
  readonly ref?: string;
  /** What readers saw of it: see `UncheckedRecord`. */
  readonly source: readonly string[];
  /** A line of text; empty if it has none. */
  readonly title: string;
  readonly html: string;
  readonly kind?: "post" | "page";
  readonly date: Date | undefined;
  readonly updated?: Date | undefined;
  /** Why it becomes a draft, as a clause; empty for one that was a draft there; undefined for any other one. */
  readonly hidden: string | undefined;
  /** When it is to become public; undefined unless it was scheduled. */
  readonly publishAt?: Date | undefined;
  /** Its path there, and what its slug is made of. */
  readonly oldPath: string;
  readonly name: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly image?: string | null;
  readonly author?: string;
}

/** Adds a post of another program. It is public if it was, unless its date is in the future. */
export function addForeignPost(records: StagedRecords, post: ForeignPost, now: Date): void {
  const { location, ref, source, date, publishAt } = post;
  const title = post.title || "Untitled";
  const isLater = date !== undefined && date > now;
  const isEarly = isLater && publishAt === undefined;
  const why = post.hidden ?? (isEarly ? "has a date in the future" : undefined);
  if (why)
    records.note({ ...location, code: "not_public", detail: `“${title}” ${why}: it becomes a draft.` });
  const published = why === undefined && publishAt === undefined;
  const created = date === undefined || isLater ? now : date;
  const { updated = created } = post;
  const redirect = redirectPath(post.oldPath);
  records.add("post", {
    ...{ location, source, ...(ref !== undefined && { ref }) },
    record: {
      ...{ title, published, created_at: created.toISOString() },
      content: storable(htmlToPostContent(withLazyPictures(post.html))),
      updated_at: (updated < created || updated > now ? created : updated).toISOString(),
      published_at: published ? created.toISOString() : null,
      created_by: lineOf(post.author ?? "", 64) || null,
      publication: {
        kind: post.kind ?? "post",
        slug: slugFrom(post.name) || slugFrom(title) || "post",
        tags: tagsFrom(post.tags ?? []),
        summary: lineOf(post.summary ?? "", 1_000) || null,
        publish_at: why === undefined ? (publishAt?.toISOString() ?? null) : null,
        image: post.image ?? null,
      },
      redirects: published && redirect !== undefined ? [redirect] : [],
    },
  });
}

/** The maximum length of a comment, in characters. */
const COMMENT_MAX = 10_000;

/** The text of a comment of another program, which has it as HTML; one that is too long is shortened, with a note. */
export function textOfComment(
  html: string,
  author: string,
  location: RecordLocation,
  records: StagedRecords,
): string {
  const text = storable(textOfHtml(html));
  const characters = [...text];
  if (characters.length <= COMMENT_MAX) return text;
  records.note({
    ...location,
    code: "comment_shortened",
    detail: `A comment by ${author} was longer than ${COMMENT_MAX} characters and has been shortened.`,
  });
  return `${characters.slice(0, COMMENT_MAX - 1).join("")}…`;
}
