import { stringify } from "yaml";
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
  return `---\n${stringify(members, { lineWidth: 0 })}---\n\n${content}${content.endsWith("\n") ? "" : "\n"}`;
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
