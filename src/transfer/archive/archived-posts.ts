import type { Instant, Sql } from "../../database/database.ts";
import type { PostKind } from "../../posts/publication/publication.ts";
import { type ArchivedRecord, LONG_AT_ONCE, text, textOrNull } from "./archive-store.ts";

interface PostRow {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean | number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly published_at: Instant | null;
  readonly version: number;
  readonly username: string | null;
  readonly kind: PostKind | null;
  readonly link: string | null;
  readonly slug: string | null;
  readonly summary: string | null;
  readonly language: string | null;
  readonly image: string | null;
  readonly canonical_url: string | null;
  readonly publish_at: Instant | null;
}

/** A post of the archive. */
export type ArchivedPost = ArchivedRecord<"post"> & { readonly id: number };

/** All posts and drafts. @param after the id of the last post before these @param limit how many */
export async function postsAfter(sql: Sql, after: number, limit = LONG_AT_ONCE): Promise<ArchivedPost[]> {
  const rows = await sql<PostRow>`
    select posts.id, title, content, published, posts.created_at, posts.updated_at, published_at, posts.version,
      username, kind, link, slug, summary, language, image, canonical_url, publish_at
    from posts left join accounts on accounts.id = created_by left join publications on post_id = posts.id
    where posts.id > ${after} order by posts.id limit ${limit}`;
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => Number(id));
  const tagRows = await sql<{ post_id: number; name: string }>`
    select post_id, name from post_tags where post_id in ${ids} order by post_id, position`;
  const slugRows = await sql<{ post_id: number; name: string }>`
    select post_id, slug as name from former_slugs where post_id in ${ids} order by slug`;
  const redirectRows = await sql<{ post_id: number; name: string }>`
    select post_id, path as name from redirects where post_id in ${ids} order by path`;
  const propertyRows = await sql<{ post_id: number; properties: string }>`
    select post_id, properties from post_properties where post_id in ${ids}`;
  const properties = new Map(propertyRows.map((row) => [Number(row.post_id), JSON.parse(row.properties)]));
  const [tags, slugs, redirects] = [tagRows, slugRows, redirectRows].map(namesOf);
  return rows.map((row) => {
    const id = Number(row.id);
    return {
      ...{ id, title: row.title, content: row.content, published: Boolean(row.published) },
      ...{ created_at: text(row.created_at), updated_at: text(row.updated_at) },
      ...{
        published_at: textOrNull(row.published_at),
        created_by: row.username,
        version: Number(row.version),
      },
      publication: row.kind === null ? null : publicationOf(row, row.kind, tags?.get(id) ?? []),
      former_slugs: slugs?.get(id) ?? [],
      redirects: redirects?.get(id) ?? [],
      properties: properties.get(id) ?? {},
    };
  });
}

function publicationOf(row: PostRow, kind: PostKind, tags: string[]): ArchivedPost["publication"] {
  const { link, slug, summary, language, image, canonical_url, publish_at } = row;
  return {
    kind,
    link,
    slug,
    summary,
    tags,
    publish_at: textOrNull(publish_at),
    language,
    image,
    canonical_url,
  };
}

function namesOf(
  rows: readonly { readonly post_id: number; readonly name: string }[],
): Map<number, string[]> {
  const grouped = Map.groupBy(rows, ({ post_id }) => Number(post_id));
  return new Map([...grouped].map(([id, of]) => [id, of.map(({ name }) => name)]));
}

export async function* posts(sql: Sql): AsyncGenerator<ArchivedPost> {
  for (let last = 0; ; ) {
    const batch = await postsAfter(sql, last);
    if (batch.length === 0) return;
    yield* batch;
    last = batch.at(-1)?.id ?? last;
  }
}
