import { z } from "zod";
import type { ValidationCode } from "../../errors.ts";
import { instantMember } from "../../http/parameters.ts";
import { isTagName, NOT_IN_TAGS, TAG_NAME_MAX } from "../../tags/tag-name.ts";
import { asIssue, Timestamp, text, textErrors, WEB_URL, WEB_URL_FORMAT } from "../../text.ts";
import { POST_TAGS_MAX, type TaggedPost } from "../post.ts";
import { isSlug, RESERVED_SLUGS, SLUG_MAX } from "./slug.ts";

/** The kind of a post: an article, a link to another page with a comment, or a page outside the stream. */
export const PostKind = z.enum(["post", "link", "page"]);
export type PostKind = z.output<typeof PostKind>;

/** The maximum length of a URL. */
const URL_MAX = 2_000;

/** The path of a post on the site; without a slug, it contains the id. */
export function sitePath({ id, kind, slug }: { id: number; kind: PostKind; slug: string | null }): string {
  if (slug === null) return `/posts/${id}`;
  const name = encodeURIComponent(slug);
  return kind === "page" ? `/${name}` : `/posts/${name}`;
}

const slug = checkedText((value) => {
  if (isSlug(value)) return RESERVED_SLUGS.has(value) ? "A page of the server has this path." : undefined;
  return `Lower-case letters and digits, joined by hyphens, not digits alone; ${SLUG_MAX} characters at most.`;
}, "slug_invalid").meta({
  maxLength: SLUG_MAX,
  // Letters of other scripts are accepted, too, for which many languages have no pattern.
  pattern: "^([0-9]+-)*[0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$",
  not: { enum: [...RESERVED_SLUGS] },
  description:
    "The last part of its path. If absent, it is derived from the title at the first publication, and is none that another " +
    "post has or had. One that is given may be a former one of another post, whose old links it takes over.",
});

const tagName = checkedText(
  (value) =>
    isTagName(value) ? undefined : `No white space, no # at the start; at most ${TAG_NAME_MAX} characters.`,
  "tag_invalid",
).meta({
  maxLength: TAG_NAME_MAX,
  pattern: `^[^#${NOT_IN_TAGS}]([^${NOT_IN_TAGS.slice(1)}]*[^${NOT_IN_TAGS}])?$`,
});

const language = checkedText((value) => {
  try {
    return Intl.getCanonicalLocales(value).length === 1
      ? undefined
      : "Must be a single language tag, such as en.";
  } catch {
    return "Must be a language tag, such as en or pt-BR.";
  }
}, "unknown_value").meta({
  // Variants and extensions are accepted, too.
  pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$",
  description: "A language tag (BCP 47) such as `en`. Default: the site's language.",
});

const url = webUrlMember();
const image = webUrlMember((value) => (/^\/media\/[\w.-]+$/.test(value) ? value : undefined)).meta({
  pattern: `${WEB_URL}|^/media/[A-Za-z0-9_.-]+$`,
  description:
    "An http or https URL, or the path of an uploaded image. Pages and feeds show it above the text, unless the text has it; link " +
    "previews show it, too.",
});

const members = {
  kind: PostKind.describe(
    "A `link` points to another web page; a `page` is not part of the stream of posts.",
  ),
  link: url.nullable().describe("The target URL of a post of the kind `link`; null for other kinds."),
  slug: slug.nullable(),
  summary: text({ max: 1_000 }).nullable().describe("One or two sentences for lists, feeds and previews."),
  tags: z.array(tagName).max(POST_TAGS_MAX),
  published_at: instantMember(
    "The publication date that the site shows: not before 1970, and not in the future.",
  ).nullable(),
  publish_at: instantMember(
    "When the draft is published automatically, in the future; null for never.",
  ).nullable(),
  language: language.nullable(),
  image: image.nullable(),
  canonical_url: url
    .nullable()
    .describe("The URL of the original publication, if the text first appeared elsewhere."),
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

/** A JSON string with a custom rule. @param reject returns an error message, or undefined if the string is valid */
export function checkedText(
  reject: (value: string) => string | undefined,
  code: ValidationCode,
): z.ZodString {
  return z.string().check((context) => {
    const [error] = textErrors(context.value, {});
    const detail = error === undefined ? reject(context.value) : undefined;
    if (error !== undefined) context.issues.push(asIssue(error, context.value));
    else if (detail !== undefined) context.issues.push(asIssue({ code, detail }, context.value));
  });
}

/**
 * A JSON string that is an absolute http or https URL; the parsed value is its text form by the URL standard.
 * @param otherwise accepts other values; it is called first
 */
export function webUrlMember(otherwise: (value: string) => string | undefined = () => undefined) {
  return (
    z
      .string()
      .transform((input, context) => {
        const taken = otherwise(input);
        if (taken !== undefined) return taken;
        const address = input.trim();
        const [error] = textErrors(address, { max: URL_MAX });
        const parsed = error === undefined ? URL.parse(address) : null;
        if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed.href;
        const found =
          error ??
          (parsed === null
            ? ({
                code: "url_invalid",
                detail: "Not an absolute URL such as https://example.com/.",
              } as const)
            : ({ code: "url_scheme", detail: "Only http and https URLs are accepted." } as const));
        context.issues.push(asIssue(found, input));
        return z.NEVER;
      })
      // What a strict client may send. More is accepted: any URL of the WHATWG URL standard.
      .meta({ format: WEB_URL_FORMAT, pattern: WEB_URL, maxLength: URL_MAX })
  );
}
