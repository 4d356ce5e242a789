import { slugFrom } from "../../posts/publication/slug.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import { countCodePoints } from "../../text.ts";
import type { Properties } from "./command.ts";
import { markdownOfHtml, photoBlock } from "./entry-text.ts";
import { invalidRequest } from "./operation.ts";
import { instantIn, textIn, urlIn } from "./values.ts";

/** The properties that name the page that a post is about; the post is then a link to it. */
export const CITING = ["bookmark-of", "in-reply-to", "repost-of", "like-of"] as const;

/** Properties that map to members of a post. All others are stored and returned, but not shown. */
const PLACED = new Set([
  ...["name", "content", "summary", "category", "published", "post-status", "mp-slug", "url", "uid"],
  ...["updated", "author", "access_token"],
]);

const TITLE_MAX = 500;
const SUMMARY_MAX = 1_000;
const MADE_TITLE_MAX = 80;
const TAGS_MAX = 50;

/** A post as its properties describe it. */
export interface Entry {
  readonly title: string;
  /** Markdown, with the photos behind it. */
  readonly content: string;
  readonly summary: string | null;
  readonly tags: readonly string[];
  /** The URL of the page that it is about; undefined when it is about none. */
  readonly link: string | undefined;
  readonly publishedAt: Date | undefined;
  readonly isDraft: boolean;
  /** A wish: undefined when there is none that a slug can be made of. */
  readonly slug: string | undefined;
  /** The properties stored with the post. */
  readonly kept: Properties;
}

/**
 * Reads an entry.
 * @param origin of this server, whose own images are shown by their paths
 * @param timeZone of dates without one
 * @throws Refusal `malformed`
 */
export function entryOf(properties: Properties, origin: string, timeZone: string, now: Date): Entry {
  const html = (properties.content?.[0] as { html?: unknown } | undefined)?.html;
  const text = typeof html === "string" ? markdownOfHtml(html) : (textIn(properties, "content") ?? "");
  const photos = photoBlock(properties.photo ?? [], origin);
  const content = [text, photos].filter((part) => part !== "").join("\n\n");
  const cited = CITING.find((name) => (properties[name] ?? []).length > 0);
  const link = cited && urlIn(properties, cited);
  const name = textIn(properties, "name")?.trim();
  const title = name || link || titleOf(text, now);
  if (countCodePoints(title) > TITLE_MAX) throw invalidRequest(`name: at most ${TITLE_MAX} characters.`);
  const summary = textIn(properties, "summary") ?? null;
  if (summary !== null && countCodePoints(summary) > SUMMARY_MAX)
    throw invalidRequest(`summary: at most ${SUMMARY_MAX} characters.`);
  if (name === undefined && content === "" && link === undefined)
    throw invalidRequest("There is neither a name nor a content.");
  return {
    title,
    content,
    summary,
    tags: tagsIn(properties),
    link,
    publishedAt: instantIn(properties, "published", timeZone),
    isDraft: isDraft(properties),
    slug: slugFrom(textIn(properties, "mp-slug") ?? "") || undefined,
    kept: Object.fromEntries(
      Object.entries(properties).filter(
        ([name, values]) => !PLACED.has(name) && !name.startsWith("mp-") && values.length > 0,
      ),
    ),
  };
}

/** The title of a note, which has none: its first words. */
export function titleOf(text: string, now: Date): string {
  // Without limits, patterns would take quadratic time where nothing is ever closed.
  const words = text
    .slice(0, 2_000)
    .replace(/<[^>]{0,500}>/g, " ")
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,200}\)/g, "$1")
    .replace(/[#*_`>]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (words === "") return now.toISOString().slice(0, 16).replace("T", " ");
  const characters = Array.from(words);
  if (characters.length <= MADE_TITLE_MAX) return words;
  const start = characters.slice(0, MADE_TITLE_MAX - 1).join("");
  const end = start.lastIndexOf(" ");
  return `${end > MADE_TITLE_MAX / 2 ? start.slice(0, end) : start}…`;
}

/** The names of tags; white space in them becomes dashes. */
export function tagsIn(properties: Properties): string[] {
  const names = (properties.category ?? []).flatMap((value) => {
    if (typeof value !== "string") throw invalidRequest("category: the values are texts.");
    return makeTagName(value) ?? [];
  });
  if (names.length > TAGS_MAX) throw invalidRequest(`category: at most ${TAGS_MAX} values.`);
  return [...new Set(names)];
}

/** Absent means published. Nothing that somebody wants to hide becomes public. */
function isDraft(properties: Properties): boolean {
  const status = textIn(properties, "post-status") ?? "published";
  if (status !== "published" && status !== "draft") throw invalidRequest("post-status: published or draft.");
  const visibility = textIn(properties, "visibility") ?? "public";
  if (visibility !== "public" && status !== "draft")
    throw invalidRequest("visibility: a published post is public here. Send post-status=draft for others.");
  return status === "draft";
}
