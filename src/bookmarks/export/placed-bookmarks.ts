import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { FoundRow } from "./export-store.ts";

/** A folder, with those inside it in the order in which they were first found. */
interface PlacedFolder {
  readonly number: number;
  readonly name: string;
  readonly inner: Map<string, PlacedFolder>;
  /** The place of the first bookmark in it or below it. */
  first: number;
}

/** Bookmarks that follow each other in one folder. */
export interface FolderPart {
  /** The folder's names from the outermost in; none for what is in no folder. */
  readonly path: readonly string[];
  readonly ids: readonly number[];
}

const SCHEMA = `
  pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -4096; pragma page_size = 16384;
  begin;
  create table places (bookmark_id integer primary key, folder integer not null, place integer not null);
`;

/** Places of different imports do not mix: no file has so many rows. */
const ROWS_MAX = 2 ** 33;

/**
 * In which folder each imported bookmark is, and where among the others, as the file had it. It lies in a temporary
 * SQLite database, so that only the folders are in memory.
 */
export class PlacedBookmarks implements Disposable {
  readonly #scratch = new DatabaseSync("");
  readonly #root: PlacedFolder = newFolder(0, "");
  /** Folders by their names as JSON, as import rows have them. */
  readonly #known = new Map<string, PlacedFolder>([["[]", this.#root]]);
  readonly #put: StatementSync;
  #folders = 0;

  constructor() {
    this.#scratch.exec(SCHEMA);
    // The last import counts; but one that left the bookmark as it was, or knows no folders, does not take it out of its own.
    this.#put = this.#scratch.prepare(`
      insert into places values (?, ?, ?) on conflict (bookmark_id)
      do update set folder = excluded.folder, place = excluded.place
      where excluded.folder <> 0 and (? or places.folder = 0)`);
  }

  /** Notes where an import has found a bookmark, in the order of the imports. */
  add({ importId, position, bookmarkId, folders, isSkipped }: FoundRow): void {
    const folder = this.#known.get(folders) ?? this.#make(folders);
    this.#put.run(bookmarkId, folder.number, importId * ROWS_MAX + position, isSkipped ? 0 : 1);
  }

  /** Those of some bookmarks that no import has found. */
  without(ids: readonly number[]): Set<number> {
    const rows = this.#scratch
      .prepare("select bookmark_id from places where bookmark_id in (select value from json_each(?))")
      .all(JSON.stringify(ids));
    const placed = new Set(rows.map(({ bookmark_id }) => Number(bookmark_id)));
    return new Set(ids.filter((id) => !placed.has(id)));
  }

  /** The folders that are no folder's inside, by their names. */
  get topFolders(): string[] {
    return [...this.#root.inner.keys()];
  }

  /**
   * All bookmarks in the order of their files, each folder once, where the first bookmark in it or below it was.
   * @param limit how many bookmarks a part may have
   */
  *parts(limit: number): Generator<FolderPart> {
    this.#order();
    const next = this.#scratch.prepare(`
      select bookmark_id, place from places where folder = ? and place > ? and place < ? order by place limit ?`);
    const open = [{ path: [] as string[], folder: this.#root, last: -1, inner: sorted(this.#root) }];
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const [child] = at.inner;
      const before = child?.first ?? Number.MAX_SAFE_INTEGER;
      const rows = next.all(at.folder.number, at.last, before, limit);
      if (rows.length > 0) yield { path: at.path, ids: rows.map(({ bookmark_id }) => Number(bookmark_id)) };
      at.last = Number(rows.at(-1)?.place ?? at.last);
      if (rows.length === limit) continue;
      at.inner.shift();
      if (child === undefined) open.pop();
      else open.push({ path: [...at.path, child.name], folder: child, last: -1, inner: sorted(child) });
    }
  }

  [Symbol.dispose](): void {
    this.#scratch.close();
  }

  #make(folders: string): PlacedFolder {
    let folder = this.#root;
    for (const name of JSON.parse(folders) as string[]) {
      const inner = folder.inner.get(name) ?? newFolder(++this.#folders, name);
      folder.inner.set(name, inner);
      folder = inner;
    }
    this.#known.set(folders, folder);
    return folder;
  }

  #order(): void {
    this.#scratch.exec("create index if not exists places_by_folder on places (folder, place)");
    const rows = this.#scratch
      .prepare("select folder, min(place) as first from places group by folder")
      .all();
    const firsts = new Map(rows.map(({ folder, first }) => [Number(folder), Number(first)]));
    findFirst(this.#root, firsts);
  }
}

function newFolder(number: number, name: string): PlacedFolder {
  return { number, name, inner: new Map(), first: Number.MAX_SAFE_INTEGER };
}

/** Paths have 2,000 characters at most, so this is never deep. */
function findFirst(folder: PlacedFolder, firsts: ReadonlyMap<number, number>): number {
  const own = firsts.get(folder.number) ?? Number.MAX_SAFE_INTEGER;
  const inner = [...folder.inner.values()].map((child) => findFirst(child, firsts));
  folder.first = inner.reduce((one, other) => Math.min(one, other), own);
  return folder.first;
}

function sorted({ inner }: PlacedFolder): PlacedFolder[] {
  return [...inner.values()].sort((one, other) => one.first - other.first);
}
