import type { Database, Sql } from "../../database/database.ts";
import { MEDIA_PATH, mediaPath } from "../../media/media.ts";
import { findWidths } from "../../media/media-store.ts";
import type { FindImageSizes } from "../rendering/rendered-posts.ts";

/**
 * The names of all images used by posts, their earlier versions, working copies and the site itself, and by posts that can
 * be restored.
 * @param except the id of a post that does not count
 */
export async function findUsedMedia(sql: Sql, except = 0): Promise<Set<string>> {
  const texts = await sql<{ text: string }>`
    select content as text from posts where content like '%/media/%' and id <> ${except}
    union all select image from posts where image like '/media/%' and id <> ${except}
    union all select content from post_versions where content like '%/media/%' and post_id <> ${except}
    union all select value from site_settings where name in ('icon', 'cover')
    union all select css from themes where css like '%/media/%'
    union all select content from edits where content like '%/media/%'
    union all select fields from edits where fields like '%/media/%'
    union all select before from change_rows where record in ('post', 'version') and before like '%/media/%'`;
  return new Set(texts.flatMap(({ text }) => mediaIn(text)));
}

/** Looks up the sizes of the uploaded images in a text. */
export function imageSizeFinder(database: Pick<Database, "read">): FindImageSizes {
  return async (text) => {
    const shas = mediaIn(text);
    if (shas.length === 0) return new Map();
    const found = await findWidths(database.read, shas.slice(0, 500));
    return new Map(
      found.map((one) => [mediaPath(one), { width: one.width, height: one.height, widths: one.smaller }]),
    );
  };
}

/** The names of the uploaded images in a text. */
export function mediaIn(text: string): string[] {
  return [...new Set([...text.matchAll(MEDIA_PATH)].map(([, sha = ""]) => sha))];
}
