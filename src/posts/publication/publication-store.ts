import type { Instant, Sql } from "../../database/database.ts";
import { fragment, rowList } from "../../database/fragment.ts";
import { Refusal } from "../../errors.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { indexPosts } from "../indexed-posts.ts";
import { countChanged } from "../post-counters.ts";
import { NO_PUBLICATION, type PostKind, type Publication } from "./publication.ts";
import { RESERVED_SLUGS, slugFrom } from "./slug.ts";

interface PublicationRow {
  readonly id: number;
  readonly kind: PostKind | null;
  readonly link: string | null;
  readonly slug: string | null;
  readonly summary: string | null;
  readonly language: string | null;
  readonly image: string | null;
  readonly canonical_url: string | null;
  readonly publish_at: Instant | null;
  readonly published_at: Instant | null;
  readonly version: number | null;
}

/** The fields of a post on which its publication depends. */
export interface Published {
  readonly id: number;
  readonly title: string;
  readonly published: boolean;
}

const COLUMNS = fragment`
  posts.id, kind, link, slug, summary, language, image, canonical_url, publish_at, published_at, publications.version`;

/** The publication of a post, with defaults for everything that was never set. */
export async function findPublication(sql: Sql, postId: number): Promise<Publication> {
  const found = await findPublications(sql, [postId]);
  return found.get(postId) ?? NO_PUBLICATION;
}

/** The publications of posts by their ids, in two statements. @param postIds at least one */
export async function findPublications(
  sql: Sql,
  postIds: readonly number[],
): Promise<Map<number, Publication>> {
  const rows = await sql<PublicationRow>`
    select ${COLUMNS} from posts left join publications on post_id = posts.id where posts.id in ${postIds}`;
  const tags = await sql<{ post_id: number; name: string }>`
    select post_id, name from post_tags where post_id in ${postIds} order by post_id, position`;
  const names = Map.groupBy(tags, ({ post_id }) => Number(post_id));
  return new Map(
    rows.map((row) => {
      const id = Number(row.id);
      return [id, toPublication(row, names.get(id)?.map(({ name }) => name) ?? [])];
    }),
  );
}

/** Stores the publication of a new published post: it gets a slug and is listed. */
export async function publishNew(sql: Sql, { id, title }: Published, publishedAt: Date): Promise<void> {
  const titleSlug = slugFrom(title) || "post";
  const numbered = `${titleSlug}-${id}`;
  let slug = titleSlug === "post" || RESERVED_SLUGS.has(titleSlug) ? numbered : titleSlug;
  for (;;) {
    const rows = await sql`
      insert into publications (post_id, slug, listed_at) select ${id}, ${slug}, ${publishedAt}
      where not ${isTaken(slug)}
      on conflict (slug) do nothing returning post_id`;
    if (rows.length > 0) return;
    slug = slug === titleSlug ? numbered : `${slug}-again`;
  }
}

/** Whether a post has a slug or had it, so that links to it lead there. Both count: a slug moves from one to the other. */
function isTaken(slug: string) {
  return fragment`(exists (select 1 from publications where slug = ${slug})
    or exists (select 1 from former_slugs where slug = ${slug}))`;
}

/** Publishes a draft: it gets its slug, is no longer scheduled, and is listed. */
export async function publishDraft(sql: Sql, { id, title }: Published, publishedAt: Date): Promise<void> {
  const before = await findPublication(sql, id);
  const next = { ...before, publishedAt, publishAt: null, version: before.version + 1 };
  await withSlug(sql, { id, title }, before, (slug) => replaceRow(sql, id, { ...next, slug }, true));
}

/** Unpublishes a post: it is no longer listed, but keeps its slug. */
export async function unpublish(sql: Sql, postId: number): Promise<void> {
  await sql`
    update publications set listed_at = null, publish_at = null, version = version + 1 where post_id = ${postId}`;
}

/**
 * Stores the new publication of a post, and its former slug, which then redirects. The caller has locked the post
 * and counts the change.
 * @throws Refusal `conflict` when another post has the slug
 */
export async function savePublication(
  sql: Sql,
  post: Published,
  before: Publication,
  wanted: Publication,
): Promise<Publication> {
  const saved = { ...wanted, version: before.version + 1 };
  const hasSlug = wanted.slug !== null || !post.published;
  if (hasSlug && !(await replaceRow(sql, post.id, saved, post.published)))
    throw new Refusal("conflict", `Another post has the slug ${wanted.slug}.`);
  if (!hasSlug)
    await withSlug(sql, post, NO_PUBLICATION, (slug) => replaceRow(sql, post.id, { ...saved, slug }, true));
  if (wanted.publishedAt?.getTime() !== before.publishedAt?.getTime())
    await sql`update posts set published_at = ${wanted.publishedAt} where id = ${post.id}`;
  await saveTags(sql, post.id, wanted.tags);
  await indexPosts(sql, [post.id]);
  const stored = await findPublication(sql, post.id);
  if (before.slug !== null && before.slug !== stored.slug) await keepFormerSlug(sql, post.id, before.slug);
  return stored;
}

/** The id of the post with this former slug. */
export async function findFormerSlug(sql: Sql, slug: string): Promise<number | undefined> {
  const [row] = await sql<{ post_id: number }>`select post_id from former_slugs where slug = ${slug}`;
  return row && Number(row.post_id);
}

/** Assigns slugs to at most `limit` published posts without one. @returns how many there were */
export async function assignSlugs(sql: Sql, limit: number): Promise<number> {
  const rows = await postsWithoutSlug(sql, limit);
  for (const { id, title } of rows) {
    const before = await findPublication(sql, Number(id));
    await withSlug(sql, { id: Number(id), title }, before, (slug) =>
      replaceRow(sql, Number(id), { ...before, slug }, true),
    );
  }
  if (rows.length > 0) await countChanged(sql, "posts");
  return rows.length;
}

/** Published posts without a slug, at most `limit`. */
export async function postsWithoutSlug(
  sql: Sql,
  limit: number,
): Promise<{ readonly id: number; readonly title: string }[]> {
  return sql`
    select posts.id, title from publications join posts on posts.id = post_id
    where slug is null and published = ${true} order by posts.id limit ${limit}`;
}

/**
 * Stores a publication with its slug; otherwise with one from the title or, if another post has or had that, with the
 * id appended.
 */
async function withSlug(
  sql: Sql,
  { id, title }: Pick<Published, "id" | "title">,
  { slug }: Publication,
  store: (slug: string) => Promise<boolean>,
): Promise<void> {
  if (slug !== null && (await store(slug))) return;
  const titleSlug = slugFrom(title) || "post";
  if (titleSlug !== "post" && !RESERVED_SLUGS.has(titleSlug) && (await storeNew(titleSlug))) return;
  // Even that one may be taken, though hardly twice.
  for (let candidate = `${titleSlug}-${id}`; !(await storeNew(candidate)); candidate += "-again");

  /** Storing waits for a post that is just giving up the slug, so its former slugs are looked up afterwards. */
  async function storeNew(candidate: string): Promise<boolean> {
    if (!(await store(candidate))) return false;
    const former = await findFormerSlug(sql, candidate);
    return former === undefined || former === id;
  }
}

async function replaceRow(
  sql: Sql,
  id: number,
  publication: Publication,
  published: boolean,
): Promise<boolean> {
  await sql`delete from publications where post_id = ${id}`;
  return insertRow(sql, id, publication, published);
}

/** @returns false, without storing anything, when another post has the slug */
async function insertRow(
  sql: Sql,
  id: number,
  publication: Publication,
  published: boolean,
): Promise<boolean> {
  const { kind, link, slug, summary, language, image, canonicalUrl, publishAt, publishedAt, version } =
    publication;
  const listedAt = published && kind !== "page" ? publishedAt : null;
  const rows = await sql`
    insert into publications
      (post_id, kind, link, slug, summary, language, image, canonical_url, publish_at, listed_at, version)
    values (${id}, ${kind}, ${link}, ${slug}, ${summary}, ${language}, ${image}, ${canonicalUrl}, ${publishAt},
      ${listedAt}, ${version})
    on conflict (slug) do nothing returning post_id`;
  return rows.length > 0;
}

async function saveTags(sql: Sql, postId: number, names: readonly string[]): Promise<void> {
  await sql`delete from post_tags where post_id = ${postId}`;
  const keys = [...new Map(names.map((name) => [tagKey(name), name])).entries()];
  if (keys.length === 0) return;
  const rows = keys.map(([key, name], index) => [postId, index + 1, key, name]);
  await sql`insert into post_tags (post_id, position, key, name) values ${rowList(rows)}`;
}

async function keepFormerSlug(sql: Sql, postId: number, slug: string): Promise<void> {
  await sql`
    insert into former_slugs (slug, post_id) values (${slug}, ${postId})
    on conflict (slug) do update set post_id = excluded.post_id`;
}

function toPublication(row: PublicationRow, tags: readonly string[]): Publication {
  return {
    kind: row.kind ?? "post",
    link: row.link,
    slug: row.slug,
    summary: row.summary,
    tags,
    publishedAt: row.published_at === null ? null : new Date(row.published_at),
    publishAt: row.publish_at === null ? null : new Date(row.publish_at),
    language: row.language,
    image: row.image,
    canonicalUrl: row.canonical_url,
    version: Number(row.version ?? 0),
  };
}
