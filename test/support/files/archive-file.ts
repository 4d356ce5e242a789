import { linesOf, readTreeFile } from "../../../src/readers/files/file-tree.ts";
import { openZip } from "../../../src/readers/files/zip-files.ts";
import { RECORD_KINDS } from "../../../src/records/record.ts";
import { RECORD_FILES } from "../../../src/transfer/archive/archive-format.ts";
import type { ArchivedSite } from "./archived-site.ts";
import { inMemory, zipOf } from "./zip.ts";

/** The last ids in the archives of these tests. */
export const LAST_IDS = { bookmarks: 1_000, posts: 1_001, comments: 1_002, tags: 1_003 };

/** Makes the archive of a site. @param more image files, and files that replace those of the site */
export function archiveOf(
  site: Partial<ArchivedSite>,
  more: Iterable<readonly [path: string, bytes: string | Uint8Array]> = [],
): Promise<Buffer> {
  const about = { format: "commonplace", version: 1, program: "0", exported_at: "", last_ids: LAST_IDS };
  const lines = RECORD_KINDS.map((kind) => {
    const text = (site[kind] ?? []).map((record) => `${JSON.stringify(record)}\n`).join("");
    return [RECORD_FILES[kind], text] as const;
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
  for (const kind of RECORD_KINDS) {
    records[kind] = [];
    // Archives of earlier versions have no icons.
    if (!tree.sizes.has(RECORD_FILES[kind])) continue;
    for await (const { text } of linesOf(tree, RECORD_FILES[kind])) records[kind]?.push(JSON.parse(text));
  }
  const { last_ids } = JSON.parse(String(await readTreeFile(tree, "commonplace.json", 10_000)));
  return { ...records, last_ids };
}
