import { contentDigest } from "../database/content-digest.ts";
import type { Inspection } from "../database/inspection.ts";

/** What the digests of tables are of, in order. */
const TEXTS = {
  bookmarks: ["title", "url", "description"],
  posts: ["title", "content"],
  comments: ["author", "text"],
} as const;

/** Rows that are read at once: their texts may be long. */
const AT_ONCE = 50;

/** Compares texts and images with their digests. Rows without one are from before there were digests. */
export async function contentProblems({ raw }: Pick<Inspection, "raw">): Promise<string[]> {
  const problems: string[] = [];
  for (const [table, columns] of Object.entries(TEXTS)) {
    const changed: number[] = [];
    for (let last = -1; ; ) {
      const rows = await raw(
        `select id, digest, ${columns.join(", ")} from ${table} where id > ${last} order by id limit ${AT_ONCE}`,
      );
      for (const row of rows)
        if (isChanged(row.digest, ...columns.map((column) => String(row[column]))))
          changed.push(Number(row.id));
      const next = Number(rows.at(-1)?.id ?? last);
      // A damaged key may sort before itself: the check of the integrity says so.
      if (next <= last) break;
      last = next;
    }
    if (changed.length > 0)
      problems.push(`${changed.length} ${table} are not as they were written, such as ${changed[0]}`);
  }
  const images: string[] = [];
  const keys = await raw(
    "select sha, width from media_forms where digest is not null and bytes is not null order by sha, width",
  );
  for (const { sha, width } of keys) {
    const [form] = await raw(
      `select digest, bytes from media_forms where sha = '${sha}' and width = ${width}`,
    );
    if (form === undefined || isChanged(form.digest, form.bytes as Uint8Array)) images.push(String(sha));
  }
  if (images.length > 0)
    problems.push(`${images.length} images are not as they were written, such as ${images[0]}`);
  return problems;
}

function isChanged(digest: unknown, ...parts: readonly (string | Uint8Array)[]): boolean {
  return digest !== null && Number(digest) !== contentDigest(...parts);
}
