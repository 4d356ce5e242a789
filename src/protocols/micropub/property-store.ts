import type { Sql } from "../../database/database.ts";
import type { Properties } from "./command.ts";

/** The properties stored with a post. */
export async function findProperties(sql: Sql, postId: number): Promise<Properties> {
  const [row] = await sql<{ properties: string }>`
    select properties from post_properties where post_id = ${postId}`;
  return row === undefined ? {} : (JSON.parse(row.properties) as Properties);
}

/** Replaces the properties stored with a post. */
export async function saveProperties(sql: Sql, postId: number, properties: Properties): Promise<void> {
  await sql`delete from post_properties where post_id = ${postId}`;
  if (Object.keys(properties).length === 0) return;
  await sql`
    insert into post_properties (post_id, properties) values (${postId}, ${JSON.stringify(properties)})`;
}

/** The tag names of all posts and drafts, each as first written. */
export async function listCategories(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }>`
    select (select name from post_tags first where first.key = post_tags.key
      order by post_id, position limit 1) as name
    from post_tags group by key order by key`;
  return rows.map(({ name }) => name);
}
