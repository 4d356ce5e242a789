import { Document, Pair, Scalar } from "yaml";
import type { ArchivedPost } from "./archived-posts.ts";

/** A post as a Markdown file with YAML front matter, for static site generators. */
export function markdownCopy(post: ArchivedPost): string {
  const { title, content, published, created_at, updated_at, published_at, publication } = post;
  const { former_slugs = [], redirects = [], properties = {} } = post;
  const aliases = [...former_slugs.map((slug) => `/posts/${slug}`), ...redirects];
  const members = {
    ...Object.fromEntries(Object.entries(properties).map(([name, [...values]]) => [name, single(values)])),
    title,
    date: published_at ?? publication?.publish_at ?? created_at,
    lastmod: updated_at,
    ...(!published && { draft: true }),
    ...(publication?.slug && { slug: publication.slug }),
    ...(publication?.tags?.length && { tags: publication.tags }),
    ...(publication?.summary && { description: publication.summary }),
    ...(publication?.image && { image: publication.image }),
    ...(publication?.language && { lang: publication.language }),
    ...(publication?.canonical_url && { canonical_url: publication.canonical_url }),
    ...(publication?.link && { link: publication.link }),
    ...(aliases.length > 0 && { aliases }),
  };
  return `---\n${frontMatter(members)}---\n\n${content}${content.endsWith("\n") ? "" : "\n"}`;
}

/** Its path in the archive: posts by date, pages and drafts in folders of their own. */
export function markdownPath(post: ArchivedPost): string {
  const { id, published, created_at, published_at, publication } = post;
  // No slug has digits only, so that no two posts share a path.
  const name = publication?.slug ?? String(id);
  if (!published) return `drafts/${name}.md`;
  if (publication?.kind === "page") return `pages/${name}.md`;
  return `posts/${(published_at ?? created_at).slice(0, 10)}-${name}.md`;
}

/** Front matter writes a list of one value as the value. */
function single(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values;
}

/** Members with a date, which generators want without quotation marks. */
const DATES = new Set(["date", "lastmod"]);
/** A name that no YAML takes for anything else; others are in quotation marks. */
const PLAIN_NAME = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][\w-]*$/i;
/** Characters that YAML does not allow as they are, or takes for the end of a line. */
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Members in YAML, of which readers of both of its versions get the same values: texts are always in quotation marks, since
 * `yes`, `12:30` or `2024-01-01` are no texts to some of them.
 */
function frontMatter(members: Readonly<Record<string, unknown>>): string {
  const document = new Document({});
  for (const [name, value] of Object.entries(members)) {
    const key = new Scalar(name);
    key.type = PLAIN_NAME.test(name) ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
    const node = document.createNode(value);
    if (DATES.has(name) && node instanceof Scalar) node.type = Scalar.PLAIN;
    document.add(new Pair(key, node));
  }
  const text = document.toString({
    ...{ lineWidth: 0, doubleQuotedAsJSON: true },
    ...{ defaultStringType: Scalar.QUOTE_DOUBLE, defaultKeyType: Scalar.QUOTE_DOUBLE },
  });
  return text.replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
