import type { Sql } from "../../database/database.ts";
import { invalid, Refusal, type ValidationError } from "../../errors.ts";
import type { Post } from "../post.ts";
import { touchPost } from "../post-store.ts";
import type { Publication, PublicationPatch } from "./publication.ts";
import { savePublication } from "./publication-store.ts";

/**
 * Changes the given members of a publication. The caller has locked the post and checked preconditions.
 *
 * @returns the new publication, or the same object if nothing changed
 * @throws Refusal `invalid` if a member does not fit the post or the others, `conflict` if another post has the
 * slug
 */
export async function changePublication(
  sql: Sql,
  post: Pick<Post, "id" | "title" | "published">,
  before: Publication,
  given: PublicationPatch,
  now: Date,
): Promise<Publication> {
  const wanted = merged(before, given);
  const errors = errorsOf(post, given, wanted, now);
  if (errors.length > 0) throw invalid(errors);
  if (isSame(before, wanted)) return before;
  const saved = await savePublication(sql, post, before, wanted);
  await touchPost(sql, post.id);
  return saved;
}

/** Null removes, except a date that a published post has. */
function merged(before: Publication, given: PublicationPatch): Publication {
  const { kind = before.kind, tags, published_at, publish_at, canonical_url, ...texts } = given;
  const { link, slug, summary, language, image } = texts;
  return {
    kind,
    link: kind === "link" ? or(link, before.link) : null,
    slug: or(slug, before.slug),
    summary: or(summary, before.summary),
    tags: tags === undefined ? before.tags : (tags ?? []),
    publishedAt: or(published_at, before.publishedAt),
    publishAt: or(publish_at, before.publishAt),
    language: or(language, before.language),
    image: or(image, before.image),
    canonicalUrl: or(canonical_url, before.canonicalUrl),
    version: before.version,
  };
}

function or<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given;
}

function errorsOf(
  { published }: Pick<Post, "published">,
  given: PublicationPatch,
  wanted: Publication,
  now: Date,
): ValidationError[] {
  const errors: ValidationError[] = [];
  if (wanted.kind === "link" && wanted.link === null)
    errors.push({
      pointer: "/link",
      code: "missing",
      detail: "A post of the kind link needs a target URL.",
    });
  if (wanted.kind !== "link" && given.link != null)
    errors.push({
      pointer: "/link",
      code: "unknown_value",
      detail: "Only a post of the kind link can have a target URL.",
    });
  if (given.published_at != null && given.published_at > now)
    errors.push({ pointer: "/published_at", code: "out_of_range", detail: "Must not be in the future." });
  if (published && wanted.publishedAt === null)
    errors.push({
      pointer: "/published_at",
      code: "wrong_type",
      detail: "A published post must have a date.",
    });
  if (given.publish_at != null && published)
    errors.push({ pointer: "/publish_at", code: "not_a_draft", detail: "The post is already published." });
  else if (given.publish_at != null && given.publish_at <= now)
    errors.push({ pointer: "/publish_at", code: "out_of_range", detail: "Must be in the future." });
  return errors;
}

function isSame(before: Publication, wanted: Publication): boolean {
  return JSON.stringify(before) === JSON.stringify(wanted);
}

/** 409, for a contract's list of refusals. */
export const SLUG_TAKEN = new Refusal("conflict", "Another post has the slug first-light.");
