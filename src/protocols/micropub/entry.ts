import { POST_TITLE_MAX } from "../../posts/post.ts";
import { POST_TAGS_MAX } from "../../records/publication-members.ts";
import { slugFrom } from "../../records/slug.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import { countCodePoints } from "../../text.ts";
import type { Properties } from "./command.ts";
import { htmlToContent, photosAsMarkdown } from "./entry-text.ts";
import { invalidRequest } from "./operation.ts";
import { dateProperty, textProperty, urlProperty } from "./values.ts";

/** The properties with the URL of the page that a post is about: the post becomes a link post. */
export const CITATION_PROPERTIES = ["bookmark-of", "in-reply-to", "repost-of", "like-of"] as const;

/** Properties that map to members of a post. All others are stored and returned to programs, but not shown. */
const MAPPED_PROPERTIES = new Set([
  ...["name", "content", "summary", "category", "published", "post-status", "mp-slug", "url", "uid"],
  ...["updated", "author", "access_token"],
]);

const SUMMARY_MAX = 1_000;
const MADE_POST_TITLE_MAX = 80;

/** A post, as described by its properties. */
export interface Entry {
  readonly title: string;
  /** Markdown, followed by the photos. */
  readonly content: string;
  readonly summary: string | null;
  readonly tags: readonly string[];
  /** The URL of the page that it is about, if any. */
  readonly link: string | undefined;
  readonly publishedAt: Date | undefined;
  readonly isDraft: boolean;
  /** The requested slug, if valid. */
  readonly slug: string | undefined;
  /** The properties stored with the post. A draft has no date of its own: the one it was given is stored here. */
  readonly kept: Properties;
}

/** The name of the place of a check-in, inside its `h-card`. */
function venueOf({ checkin = [] }: Properties): string | undefined {
  const [card] = checkin as readonly ({ properties?: { name?: readonly unknown[] } } | null | undefined)[];
  const name = card?.properties?.name?.[0];
  return typeof name === "string" && name.trim() !== "" ? name.trim() : undefined;
}

/**
 * Reads an entry.
 * @param origin of this server, whose own images are stored by path
 * @param timeZone for dates without one
 * @throws Refusal `malformed`
 */
export function parseEntry(properties: Properties, origin: string, timeZone: string, now: Date): Entry {
  const html = (properties.content?.[0] as { html?: unknown } | undefined)?.html;
  const text = typeof html === "string" ? htmlToContent(html) : (textProperty(properties, "content") ?? "");
  const photos = photosAsMarkdown(properties.photo ?? [], origin);
  const content = [text, photos].filter((part) => part !== "").join("\n\n");
  const cited = CITATION_PROPERTIES.find((name) => (properties[name] ?? []).length > 0);
  const link = cited && urlProperty(properties, cited);
  const name = textProperty(properties, "name")?.trim() ?? venueOf(properties);
  const title = name || link || titleFromText(text, now);
  if (countCodePoints(title) > POST_TITLE_MAX)
    throw invalidRequest(`name: at most ${POST_TITLE_MAX} characters.`);
  const summary = textProperty(properties, "summary") ?? null;
  const isUnpublished = isDraft(properties);
  if (summary !== null && countCodePoints(summary) > SUMMARY_MAX)
    throw invalidRequest(`summary: at most ${SUMMARY_MAX} characters.`);
  if (name === undefined && content === "" && link === undefined)
    throw invalidRequest("name or content is required.");
  return {
    title,
    content,
    summary,
    tags: parseCategories(properties),
    link,
    publishedAt: dateProperty(properties, "published", timeZone),
    isDraft: isUnpublished,
    slug: slugFrom(textProperty(properties, "mp-slug") ?? "") || undefined,
    kept: Object.fromEntries(
      Object.entries(properties).filter(
        ([name, values]) =>
          values.length > 0 &&
          ((name === "published" && isUnpublished) ||
            (!MAPPED_PROPERTIES.has(name) && !name.startsWith("mp-"))),
      ),
    ),
  };
}

/** A title for a note without one: its first words. */
export function titleFromText(text: string, now: Date): string {
  // Without limits, these patterns would take quadratic time on unclosed tags.
  const words = text
    .slice(0, 2_000)
    .replace(/<[^<>]{0,500}>/g, " ")
    .replace(/!?\[([^[\]]{0,200})\]\([^()]{0,200}\)/g, "$1")
    .replace(/[#*_`>]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (words === "") return now.toISOString().slice(0, 16).replace("T", " ");
  const characters = Array.from(words);
  if (characters.length <= MADE_POST_TITLE_MAX) return words;
  const start = characters.slice(0, MADE_POST_TITLE_MAX - 1).join("");
  const end = start.lastIndexOf(" ");
  return `${end > MADE_POST_TITLE_MAX / 2 ? start.slice(0, end) : start}…`;
}

/** The categories as tag names; white space becomes dashes. */
export function parseCategories(properties: Properties): string[] {
  const names = (properties.category ?? []).flatMap((value) => {
    if (typeof value !== "string") throw invalidRequest("category: the values must be strings.");
    return makeTagName(value) ?? [];
  });
  if (names.length > POST_TAGS_MAX) throw invalidRequest(`category: at most ${POST_TAGS_MAX} values.`);
  return [...new Set(names)];
}

/** Absent means published. A non-public visibility is refused rather than published. */
function isDraft(properties: Properties): boolean {
  const status = textProperty(properties, "post-status") ?? "published";
  if (status !== "published" && status !== "draft")
    throw invalidRequest("post-status must be published or draft.");
  const visibility = textProperty(properties, "visibility") ?? "public";
  if (visibility !== "public" && status !== "draft")
    throw invalidRequest(
      "visibility: published posts are always public. Send post-status=draft to keep a post private.",
    );
  return status === "draft";
}
