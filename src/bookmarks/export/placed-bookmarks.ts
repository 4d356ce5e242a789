import { TemporaryDatabase } from "../../temporary-database.ts";
import type { FolderRow } from "./export-store.ts";

/** A folder with its subfolders, in the order of their first appearance. */
interface PlacedFolder {
  readonly number: number;
  readonly name: string;
  readonly inner: Map<string, PlacedFolder>;
  /** The position of the first bookmark in it or below it. */
  first: number;
}

/** Consecutive bookmarks of a folder. */
export interface FolderPart {
  /** The names of its folders, outermost first; empty outside any folder. */
  readonly path: readonly string[];
  readonly ids: readonly number[];
}

const SCHEMA = `
  create table places (bookmark_id integer primary key, folder integer not null, place integer not null);
`;

/** The last import counts, unless it left the bookmark unchanged or has no folders. */
const PUT = `
  insert into places values (?, ?, ?) on conflict (bookmark_id)
  do update set folder = excluded.folder, place = excluded.place
  where excluded.folder <> 0 and (? or places.folder = 0)`;

/** Keeps the positions of different imports apart: no file has this many rows. */
const ROWS_MAX = 2 ** 33;

/**
 * The folder and the position of each imported bookmark, as in its file. They are in a temporary SQLite database,
 * so that only the folders are in memory.
 */
export class PlacedBookmarks implements Disposable {
  readonly #scratch = new TemporaryDatabase(SCHEMA);
  readonly #root: PlacedFolder = newFolder(0, "");
  /** Folders by the JSON of their names, as in import rows. */
  readonly #known = new Map<string, PlacedFolder>([["[]", this.#root]]);
  #folders = 0;

  /** Adds the folder of a bookmark in an import, in the order of the imports. */
  add({ importId, position, bookmarkId, folders, isSkipped }: FolderRow): void {
    const folder = this.#known.get(folders) ?? this.#make(folders);
    this.#scratch.run(PUT, bookmarkId, folder.number, importId * ROWS_MAX + position, isSkipped ? 0 : 1);
  }

  /** The bookmarks among these that were not imported. */
  without(ids: readonly number[]): Set<number> {
    const rows = this.#scratch.all(
      "select bookmark_id from places where bookmark_id in (select value from json_each(?))",
      JSON.stringify(ids),
    );
    const placed = new Set(rows.map(({ bookmark_id }) => Number(bookmark_id)));
    return new Set(ids.filter((id) => !placed.has(id)));
  }

  /** The top-level folders, by name. */
  get topFolders(): string[] {
    return [...this.#root.inner.keys()];
  }

  /**
   * All bookmarks in the order of their files, each folder once, where the first bookmark in it or below it was.
   * @param limit how many bookmarks a part may have
   */
  *parts(limit: number): Generator<FolderPart> {
    this.#order();
    const open = [{ path: [] as string[], folder: this.#root, last: -1, inner: sorted(this.#root) }];
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const [child] = at.inner;
      const before = child?.first ?? Number.MAX_SAFE_INTEGER;
      const rows = this.#scratch.all(
        "select bookmark_id, place from places where folder = ? and place > ? and place < ? order by place limit ?",
        ...[at.folder.number, at.last, before, limit],
      );
      if (rows.length > 0) yield { path: at.path, ids: rows.map(({ bookmark_id }) => Number(bookmark_id)) };
      at.last = Number(rows.at(-1)?.place ?? at.last);
      if (rows.length === limit) continue;
      at.inner.shift();
      if (child === undefined) open.pop();
      else open.push({ path: [...at.path, child.name], folder: child, last: -1, inner: sorted(child) });
    }
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
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
    const rows = this.#scratch.all("select folder, min(place) as first from places group by folder");
    const firsts = new Map(rows.map(({ folder, first }) => [Number(folder), Number(first)]));
    findFirst(this.#root, firsts);
  }
}

function newFolder(number: number, name: string): PlacedFolder {
  return { number, name, inner: new Map(), first: Number.MAX_SAFE_INTEGER };
}

/** Paths have at most 2,000 characters, so the recursion is not deep. */
function findFirst(folder: PlacedFolder, firsts: ReadonlyMap<number, number>): number {
  const own = firsts.get(folder.number) ?? Number.MAX_SAFE_INTEGER;
  const inner = [...folder.inner.values()].map((child) => findFirst(child, firsts));
  folder.first = inner.reduce((one, other) => Math.min(one, other), own);
  return folder.first;
}

function sorted({ inner }: PlacedFolder): PlacedFolder[] {
  return [...inner.values()].sort((one, other) => one.first - other.first);
}
