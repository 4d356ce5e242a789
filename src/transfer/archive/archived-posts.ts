import type { Sql } from "../../database/database.ts";
import { COLUMNS, type PostRow } from "../../posts/post-row.ts";
import { tagsOfPosts } from "../../posts/site-posts.ts";
import { type ArchivedRecord, idsAfter, LONG_AT_ONCE, text, textOrNull } from "./archive-store.ts";
import { readableRows, type UnreadableRecords } from "./unreadable-records.ts";

/** A post of the archive. */
export type ArchivedPost = ArchivedRecord<"post"> & { readonly id: number };

/** Posts and drafts. @param after the id of the last post before these @param upTo the highest id of these */
export async function postsAfter(
  sql: Sql,
  after: number,
  { limit = LONG_AT_ONCE, upTo = Number.MAX_SAFE_INTEGER } = {},
): Promise<ArchivedPost[]> {
  const rows = await sql<PostRow & { readonly username: string | null }>`
    select ${COLUMNS}, username from posts left join accounts on accounts.id = created_by
    where posts.id > ${after} and posts.id <= ${upTo} order by posts.id limit ${limit}`;
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => Number(id));
  const tags = await tagsOfPosts(sql, ids);
  const slugRows = await sql<{ post_id: number; name: string }>`
    select post_id, slug as name from former_slugs where post_id in ${ids} order by slug`;
  const redirectRows = await sql<{ post_id: number; name: string }>`
    select post_id, path as name from redirects where post_id in ${ids} order by path`;
  const propertyRows = await sql<{ post_id: number; properties: string }>`
    select post_id, properties from post_properties where post_id in ${ids}`;
  const properties = new Map(propertyRows.map((row) => [Number(row.post_id), JSON.parse(row.properties)]));
  const [slugs, redirects] = [slugRows, redirectRows].map(namesOf);
  return rows.map((row) => {
    const id = Number(row.id);
    return {
      ...{ id, title: row.title, content: row.content ?? "", published: Boolean(row.published) },
      ...{ created_at: text(row.created_at), updated_at: text(row.updated_at) },
      ...{
        published_at: textOrNull(row.published_at),
        created_by: row.username,
        version: Number(row.version),
      },
      publication: Number(row.publication_version) === 0 ? null : publicationOf(row, tags.get(id) ?? []),
      former_slugs: slugs?.get(id) ?? [],
      redirects: redirects?.get(id) ?? [],
      properties: properties.get(id) ?? {},
    };
  });
}

function publicationOf(row: PostRow, tags: string[]): Required<NonNullable<ArchivedPost["publication"]>> {
  const { kind, link, slug, summary, language, image, canonical_url, publish_at } = row;
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

export async function* posts(sql: Sql, unreadable?: UnreadableRecords): AsyncGenerator<ArchivedPost> {
  const source = {
    kind: "post" as const,
    read: (after = 0, upTo?: number) => postsAfter(sql, after, upTo === undefined ? {} : { upTo }),
    keyOf: ({ id }: { readonly id: number }) => id,
    keysAfter: (id?: number) => idsAfter(sql, "posts", id),
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
}
