import { z } from "zod";
import type { ValidationCode } from "../errors.ts";
import { isTagName, NOT_IN_TAGS, TAG_NAME_MAX } from "../tags/tag-name.ts";
import { asIssue, text, textErrors, WEB_URL, WEB_URL_FORMAT } from "../text.ts";
import { isSlug, RESERVED_SLUGS, SLUG_MAX } from "./slug.ts";

/** Tags of a post. */
export const POST_TAGS_MAX = 50;
/** The kind of a post: an article, a link to another page with a comment, or a page outside the stream. */
export const PostKind = z.enum(["post", "link", "page"]);
export type PostKind = z.output<typeof PostKind>;

/** The path of a post on the site; without a slug, it contains the id. */
export function sitePath({ id, kind, slug }: { id: number; kind: PostKind; slug: string | null }): string {
  if (slug === null) return `/posts/${id}`;
  const name = encodeURIComponent(slug);
  return kind === "page" ? `/${name}` : `/posts/${name}`;
}

/** The maximum length of a URL. */
const URL_MAX = 2_000;

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

/** The members of a publication that say what a post is, without its dates. */
export const PUBLICATION_MEMBERS = {
  kind: PostKind.describe(
    "A `link` points to another web page; a `page` is not part of the stream of posts.",
  ),
  link: url.nullable().describe("The target URL of a post of the kind `link`; null for other kinds."),
  slug: slug.nullable(),
  summary: text({ max: 1_000 }).nullable().describe("One or two sentences for lists, feeds and previews."),
  tags: z.array(tagName).max(POST_TAGS_MAX),
  language: language.nullable(),
  image: image.nullable(),
  canonical_url: url
    .nullable()
    .describe("The URL of the original publication, if the text first appeared elsewhere."),
};

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
