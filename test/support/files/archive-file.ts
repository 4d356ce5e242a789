import { ARCHIVED, type ArchivedKind } from "../../../src/nouns.ts";
import { linesOf, readTreeFile } from "../../../src/readers/files/file-tree.ts";
import { openZip } from "../../../src/readers/files/zip-files.ts";
import type { ArchivedSite } from "./archived-site.ts";
import { inMemory, zipOf } from "./zip.ts";

/** The last ids in the archives of these tests. */
export const LAST_IDS = {
  bookmarks: 1_000,
  posts: 1_001,
  comments: 1_002,
  tags: 1_003,
  copies: 1_004,
  marks: 1_005,
};

/** Makes the archive of a site. @param more image files, and files that replace those of the site */
export function archiveOf(
  site: Partial<ArchivedSite>,
  more: Iterable<readonly [path: string, bytes: string | Uint8Array]> = [],
): Promise<Buffer> {
  const about = { format: "commonplace", version: 1, program: "0", exported_at: "", last_ids: LAST_IDS };
  const lines = ARCHIVED.map(({ kind, archive }) => {
    const text = (site[kind as ArchivedKind] ?? []).map((record) => `${JSON.stringify(record)}\n`).join("");
    return [archive.file, text] as const;
  });
  const files: (readonly [string, string | Uint8Array])[] = [
    ["commonplace.json", JSON.stringify(about)],
    ...lines,
    ...more,
  ];
  return zipOf(new Map(files));
}

/** Reads the records of an archive, and the last ids. */
export async function recordsOf(archive: Buffer) {
  await using tree = await openZip(inMemory(archive));
  const records: Record<string, unknown[]> = {};
  for (const { kind, archive } of ARCHIVED) {
    records[kind] = [];
    // Archives of earlier versions have no icons.
    if (!tree.sizes.has(archive.file)) continue;
    for await (const { text } of linesOf(tree, archive.file)) records[kind]?.push(JSON.parse(text));
  }
  const { last_ids } = JSON.parse(String(await readTreeFile(tree, "commonplace.json", 10_000)));
  return { ...records, last_ids };
}
