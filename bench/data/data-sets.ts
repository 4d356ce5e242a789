import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameOf, SCHEMA } from "../../src/database/schema/schema.ts";
import { INDEX_VERSION } from "../../src/search/index/index-version.ts";
import type { DataSet } from "./fill.ts";

const MAKER = join(import.meta.dir, "make-data-set.ts");

/** The source files that determine the contents of a data set, together with the schema. */
const SOURCES = [
  "fill-sqlite.ts",
  "made-up-text.ts",
  "sample-bookmarks.ts",
  "sample-posts.ts",
  "searchable-bookmarks.ts",
];

const DAY = 24 * 60 * 60 * 1000;

/** The folder with the data sets that later runs reuse. The generator and schema version separates them. */
export const DATA_FOLDER = join(tmpdir(), "commonplace-bench-data");

/** Runs a command and waits until it ends. */
type Run = (command: readonly string[]) => Promise<unknown>;

/** Whether a data set takes long enough to make that it is stored for later runs. */
export function isBig({ bookmarks = 0, posts = 0, searchable = 0 }: DataSet): boolean {
  return bookmarks + posts + searchable > 10_000;
}

/** Makes a SQLite database with a data set in a separate process, and syncs it to the disk. */
export async function makeDataSet(path: string, set: DataSet, run: Run): Promise<void> {
  await run([process.execPath, MAKER, path, JSON.stringify(set)]);
  sync(path);
}

/**
 * The path of a SQLite database with a data set, created on first use. It is shared, so rows that write must
 * copy it.
 */
export async function sharedDataSet(set: DataSet, run: Run): Promise<string> {
  const folder = join(DATA_FOLDER, generatorVersion());
  const { bookmarks = 0, posts = 0 } = set;
  const others =
    set.searchable === undefined ? "" : `-${set.searchable}-${set.indexed ? "indexed" : "searchable"}`;
  const path = join(folder, `${bookmarks}-bookmarks-${posts}-posts${others}.db`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  removeUnused(DATA_FOLDER, Date.now());
  // Uses a temporary name until the file is complete: this run may be interrupted, or another may be making
  // the same file.
  const unfinished = `${path}.${process.pid}`;
  try {
    await makeDataSet(unfinished, set, run);
    renameSync(unfinished, path);
    return path;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(unfinished + suffix, { force: true });
  }
}

/** Removes data sets of other generators and schemas that were not used for a day: data sets can take gigabytes. */
export function removeUnused(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // A server on one of these databases creates files beside it, which updates the folder's time.
    if (now - statSync(path).mtimeMs > DAY) rmSync(path, { recursive: true, force: true });
  }
}

/** Copies a database that has no writers, and syncs the copy, so that no writes are pending during a measurement. */
export function copyDatabase(from: string, to: string): void {
  // The log of a killed server is part of its database.
  for (const suffix of ["", "-wal"]) {
    if (!existsSync(from + suffix)) continue;
    copyFileSync(from + suffix, to + suffix);
    sync(to + suffix);
  }
}

/** Reads a whole file, so that the system has it in its cache. */
export function readThrough(path: string): void {
  const descriptor = openSync(path, "r");
  const buffer = Buffer.alloc(4 * 1024 * 1024);
  while (readSync(descriptor, buffer) > 0);
  closeSync(descriptor);
}

function sync(path: string): void {
  const descriptor = openSync(path, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A version that changes whenever the same data set would have different contents. Comments do not change it. */
function generatorVersion(): string {
  const hash = createHash("sha256");
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  for (const source of SOURCES)
    hash.update(transpiler.transformSync(readFileSync(join(import.meta.dir, source), "utf8")));
  hash.update(nameOf(SCHEMA));
  hash.update(String(INDEX_VERSION));
  return hash.digest("hex").slice(0, 12);
}
