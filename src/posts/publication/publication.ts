import { z } from "zod";
import { instantMember } from "../../http/parameters.ts";
import { PostKind, PUBLICATION_MEMBERS } from "../../records/publication-members.ts";
import { Timestamp } from "../../text.ts";
import type { TaggedPost } from "../post.ts";

const members = {
  ...PUBLICATION_MEMBERS,
  published_at: instantMember(
    "The publication date that the site shows: not before 1970, and not in the future.",
  ).nullable(),
  publish_at: instantMember(
    "When the draft is published automatically, in the future; null for never.",
  ).nullable(),
};

/** Whether a date of a draft schedules it: it is not yet there. Else the draft is published under the date. */
export function isScheduling(date: Date | null | undefined, now: Date): date is Date {
  return date != null && date > now;
}

/** The body that replaces a publication. Absent members get their defaults, except `slug` and `published_at`. */
export const PublicationReplace = z
  .object({
    kind: members.kind.default("post"),
    link: members.link.default(null),
    slug: members.slug.optional(),
    summary: members.summary.default(null),
    tags: members.tags.default([]),
    published_at: members.published_at.optional(),
    publish_at: members.publish_at.default(null),
    language: members.language.default(null),
    image: members.image.default(null),
    canonical_url: members.canonical_url.default(null),
  })
  .meta({ id: "PublicationReplace" });

/** Any subset of it, as a JSON merge patch (RFC 7396): null removes. */
export const PublicationPatch = z
  .object({
    kind: members.kind.optional(),
    link: members.link.optional(),
    slug: members.slug.optional(),
    summary: members.summary.optional(),
    tags: members.tags.nullable().optional(),
    published_at: members.published_at.optional(),
    publish_at: members.publish_at.optional(),
    language: members.language.optional(),
    image: members.image.optional(),
    canonical_url: members.canonical_url.optional(),
  })
  .meta({ id: "PublicationPatch" });

export type PublicationPatch = z.output<typeof PublicationPatch>;

export const PublicationResponse = z
  .object({
    kind: PostKind,
    link: z.string().nullable(),
    slug: z.string().nullable(),
    summary: z.string().nullable(),
    tags: z.array(z.string()),
    published_at: Timestamp.nullable(),
    publish_at: Timestamp.nullable(),
    language: z.string().nullable(),
    image: z.string().nullable(),
    canonical_url: z.string().nullable(),
  })
  .meta({ id: "Publication" });
export type PublicationResponse = z.output<typeof PublicationResponse>;

export function toPublicationResponse(post: TaggedPost): PublicationResponse {
  const { kind, link, slug, summary, tags, publishedAt, publishAt, language, image, canonicalUrl } = post;
  return {
    kind,
    link,
    slug,
    summary,
    tags: [...tags],
    published_at: publishedAt?.toISOString() ?? null,
    publish_at: publishAt?.toISOString() ?? null,
    language,
    image,
    canonical_url: canonicalUrl,
  };
}
