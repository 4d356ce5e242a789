import type { Sql } from "../../database/database.ts";
import { invalid, Refusal, type ValidationError } from "../../errors.ts";
import type { Post, TaggedPost } from "../post.ts";
import { savePublication, withTags } from "../post-store.ts";
import { isScheduling, type PublicationPatch, toPublicationResponse } from "./publication.ts";

/**
 * Changes the given members of a post's publication. The caller has locked the post and checked preconditions.
 *
 * @returns the post as it is now
 * @throws Refusal `invalid` if a member does not fit the post or the others, `conflict` if another post has the
 * slug
 */
export async function changePublication(
  sql: Sql,
  post: Post,
  given: PublicationPatch,
  now: Date,
): Promise<TaggedPost> {
  const before = await withTags(sql, post);
  const wanted = merged(before, given);
  const errors = errorsOf(given, wanted, now);
  if (errors.length > 0) throw invalid(errors);
  return isSame(before, wanted) ? before : savePublication(sql, before, wanted);
}

/** The publication after a patch: null removes a value. */
function merged(before: TaggedPost, given: PublicationPatch): TaggedPost {
  const { kind = before.kind, tags, published_at, publish_at, canonical_url, ...texts } = given;
  const { link, slug, summary, language, image } = texts;
  return {
    ...before,
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
  };
}

function or<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given;
}

function errorsOf(given: PublicationPatch, wanted: TaggedPost, now: Date): ValidationError[] {
  const { published } = wanted;
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
  else if (given.publish_at != null && !isScheduling(given.publish_at, now))
    errors.push({ pointer: "/publish_at", code: "out_of_range", detail: "Must be in the future." });
  return errors;
}

function isSame(before: TaggedPost, wanted: TaggedPost): boolean {
  return JSON.stringify(toPublicationResponse(before)) === JSON.stringify(toPublicationResponse(wanted));
}

/** 409, for a contract's list of refusals. */
export const SLUG_TAKEN = new Refusal("conflict", "Another post has the slug first-light.");
