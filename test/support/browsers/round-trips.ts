import { join } from "node:path";
import { exportNetscape } from "../../../src/bookmarks/export/export-bookmarks.ts";
import type { Database } from "../../../src/database/database.ts";
import { importBookmarks } from "../../../src/transfer/import/import-bookmarks.ts";
import { stageImport } from "../../../src/transfer/stage-bookmarks.ts";
import { parseNetscape } from "../files/parse-netscape.ts";
import { startApp } from "../server/app.ts";

/** The files that browsers have written. The folder's `README.md` explains how. */
export const BROWSER_FILES = join(import.meta.dir, "../../data/browser-files");

/**
 * The files of each browser: its own bookmarks, ours after one and two trips through it, and its own after a
 * trip through us.
 */
export const WRITTEN = ["own.html", "own.json", "first.html", "second.html", "own-again.html"] as const;

/** Imports files into an empty library, one after another, and exports it. */
export async function throughHere(...files: readonly string[]): Promise<string> {
  const app = await startApp();
  try {
    for (const file of files) await importInto(app.database, file);
    return (await Array.fromAsync(exportNetscape(app.database.read, () => {}))).join("");
  } finally {
    await app.close();
  }
}

async function importInto(database: Database, file: string): Promise<void> {
  using staged = await stageImport("file", Buffer.from(file), { now: new Date(), tags: true });
  const { refused } = await importBookmarks(database, staged, "skip");
  if (refused > 0) throw new Error(`${refused} refused`);
}

/** A bookmark in a bookmark file, with the fields that every browser keeps, and its tags. */
export interface PlacedLink {
  readonly folders: readonly string[];
  readonly url: string;
  readonly title: string;
  /** The creation date, in seconds since 1970. */
  readonly created: number;
  readonly tags: readonly string[];
}

/** The bookmarks of an exported file, in order. */
export function linksOf(html: string): PlacedLink[] {
  return (parseNetscape(html)?.rows ?? []).map(({ folder, url, title, date, tags }) => ({
    folders: folder.path,
    url,
    title,
    created: Math.floor(Date.parse(date ?? "") / 1000),
    tags: (tags ?? "").split(",").filter(Boolean).sort(),
  }));
}
