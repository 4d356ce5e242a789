import type { FileRow, FileSummary } from "../../../src/readers/bookmarks/bookmark-format.ts";
import { type DescribedFolder, NetscapeReader } from "../../../src/readers/bookmarks/netscape/netscape.ts";

/** The contents of a bookmark file. */
export interface BookmarkFile extends FileSummary {
  readonly rows: readonly FileRow[];
  readonly describedFolders: readonly DescribedFolder[];
}

/**
 * Reads a bookmark file, in chunks that end anywhere.
 * @returns null when it is no such file
 */
export function parseNetscape(...pieces: readonly string[]): BookmarkFile | null {
  const rows: FileRow[] = [];
  const describedFolders: DescribedFolder[] = [];
  const reader = new NetscapeReader(/<dt[\s>]/i.test(pieces.join("")), {
    onRow: (row) => rows.push(row),
    onDescribedFolder: (folder) => describedFolders.push(folder),
  });
  for (const piece of pieces) reader.write(piece);
  const summary = reader.end();
  return summary.isBookmarkFile ? { ...summary, rows, describedFolders } : null;
}
