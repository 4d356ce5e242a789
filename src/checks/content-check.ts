import { createHash } from "node:crypto";
import { contentDigest } from "../database/content-digest.ts";
import type { Inspection } from "../database/inspection.ts";

/** What the digests of tables are of, in order. */
const TEXTS = {
  bookmarks: ["title", "url", "description"],
  posts: ["title", "content"],
  comments: ["author", "text"],
  copies: ["url", "title", "byline", "site", "text"],
  marks: ["quote", "prefix", "suffix", "note"],
} as const;

/** Rows that are read at once: their texts may be long. */
const AT_ONCE = 50;

/** Compares texts, images and copies of pages with their digests. Rows without one are from before there were digests. */
export async function contentProblems({ raw }: Pick<Inspection, "raw">): Promise<string[]> {
  const problems: string[] = [];
  for (const [table, columns] of Object.entries(TEXTS)) {
    const changed: number[] = [];
    for (let last = -1; ; ) {
      const rows = await raw(
        `select id, digest, ${columns.join(", ")} from ${table} where id > ${last} order by id limit ${AT_ONCE}`,
      );
      for (const row of rows)
        if (isChanged(row.digest, ...columns.map((column) => contentOf(row[column]))))
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
  const parts: string[] = [];
  const blobs = await raw("select sha256 from copy_blobs where bytes is not null order by sha256");
  for (const { sha256 } of blobs) {
    const [blob] = await raw(`select bytes from copy_blobs where sha256 = '${sha256}'`);
    if (blob === undefined || (await sha256Of(blob.bytes as Uint8Array)) !== sha256)
      parts.push(String(sha256));
  }
  if (parts.length > 0)
    problems.push(`${parts.length} parts of copies are not as they were written, such as ${parts[0]}`);
  return problems;
}

function contentOf(value: unknown): string | Uint8Array {
  return value instanceof Uint8Array ? value : String(value ?? "");
}

/** The digest of what was compressed; undefined when it cannot be read any more. */
async function sha256Of(packed: Uint8Array): Promise<string | undefined> {
  try {
    return createHash("sha256")
      .update(await Bun.zstdDecompress(packed))
      .digest("hex");
  } catch {
    return undefined;
  }
}

function isChanged(digest: unknown, ...parts: readonly (string | Uint8Array)[]): boolean {
  return digest !== null && Number(digest) !== contentDigest(...parts);
}
