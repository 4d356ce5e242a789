import type { RecordLocation } from "../records/record.ts";
import { redirectPath } from "../records/redirect-path.ts";
import { slugFrom } from "../records/slug.ts";
import { isEmptyContent } from "./html/empty-content.ts";
import { htmlToPostContent, textOfHtml } from "./html/html-content.ts";
import { withLazyPictures } from "./html/lazy-pictures.ts";
import { lineOf, storable, tagsFrom } from "./reading/foreign-values.ts";
import {
  type ForeignVisibility,
  firstDate,
  type VisibilityOptions,
  visibilityOf,
} from "./reading/foreign-visibility.ts";
import type { Staging } from "./staging.ts";

/** A post as another program has it. */
export interface ForeignPost {
  readonly location: RecordLocation;
  readonly ref?: string;
  /** What readers saw of it: see `UncheckedRecord`. */
  readonly source: readonly string[];
  /** A line of text; empty if it has none. */
  readonly title: string;
  readonly html: string;
  /** Whether the text is Markdown instead. */
  readonly isMarkdown?: boolean;
  readonly kind?: "post" | "page";
  /** What its program says of who sees it. */
  readonly seen: Omit<VisibilityOptions, "now">;
  /** Why it becomes a draft for another reason, as a clause; empty for what needs no note. */
  readonly hidden?: string | undefined;
  readonly updated?: Date | undefined;
  /** Its path there, and what its slug is made of. */
  readonly oldPath: string;
  readonly name: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly image?: string | null;
  readonly author?: string;
}

/** Adds a post of another program. It is public if it was so for sure. @returns whether it was added */
export function addForeignPost(records: Staging, post: ForeignPost, now: Date): boolean {
  const { location, ref, source } = post;
  const title = post.title || "Untitled";
  const date = firstDate(post.seen.dates ?? []);
  const content = storable(
    post.isMarkdown
      ? post.html.replaceAll(/\r\n?/g, "\n").trim()
      : htmlToPostContent(withLazyPictures(post.html)),
  );
  const visibility = noted(records, {
    ...{ title, location, hidden: post.hidden, seen: visibilityOf({ ...post.seen, now }) },
    isEmpty: !post.image && isEmptyContent(content),
  });
  if (visibility.is === "left out") return false;
  const published = visibility.is === "public";
  const isLater = date !== undefined && date > now;
  const created = date === undefined || isLater ? now : date;
  const { updated = created } = post;
  const redirect = redirectPath(post.oldPath);
  return records.add("post", {
    ...{ location, source, ...(ref !== undefined && { ref }) },
    record: {
      ...{ title, published, created_at: created.toISOString() },
      content,
      updated_at: (updated < created || updated > now ? created : updated).toISOString(),
      published_at: published ? created.toISOString() : null,
      created_by: lineOf(post.author ?? "", 64) || null,
      publication: {
        kind: post.kind ?? "post",
        slug: slugFrom(post.name) || slugFrom(title) || "post",
        tags: tagsFrom(post.tags ?? []),
        summary: lineOf(post.summary ?? "", 1_000) || null,
        publish_at: visibility.is === "scheduled" ? visibility.at.toISOString() : null,
        image: post.image ?? null,
      },
      redirects: published && redirect !== undefined ? [redirect] : [],
    },
  });
}

/** What decides on who sees a post of another program. */
interface Judged {
  readonly title: string;
  readonly location: RecordLocation;
  readonly seen: ForeignVisibility;
  /** Why it is a draft for another reason, as a clause; empty for what needs no note. */
  readonly hidden?: string | undefined;
  readonly isEmpty: boolean;
}

/** Who sees a post, with a note why fewer than before do, or why it is left out. */
export function noted(
  records: Staging,
  { title, location, seen, hidden, isEmpty }: Judged,
): ForeignVisibility {
  if (seen.is === "left out") {
    records.skip(
      "post",
      location,
      title,
      "status",
      `Skipped: it is in the trash or was never finished (${seen.why}).`,
    );
    return seen;
  }
  const other = hidden ?? (isEmpty ? "has no text" : undefined);
  const why = seen.is === "draft" ? seen.why || (hidden ?? "") : other;
  if (why === undefined) return seen;
  if (why !== "")
    records.note({ ...location, code: "not_public", detail: `“${title}” ${why}: it becomes a draft.` });
  return { is: "draft", why };
}

/** The maximum length of a comment, in characters. */
const COMMENT_MAX = 10_000;

/** The text of a comment of another program, which has it as HTML; one that is too long is shortened, with a note. */
export function textOfComment(
  html: string,
  author: string,
  location: RecordLocation,
  records: Staging,
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
