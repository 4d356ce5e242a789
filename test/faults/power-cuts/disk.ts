import { basename, dirname } from "node:path";
import { Bytes } from "./bytes.ts";
import type { Operation } from "./operations.ts";
import type { Survivors } from "./survivors.ts";

/** A change that is not durable yet. */
export interface Change {
  /** The number of the operation, and the line of the trace where it ended. */
  readonly at: number;
  readonly end: number;
}

/** A write or a new size. */
export interface FileChange extends Change {
  readonly offset: number;
  /** Undefined for a change of size: then the offset is the new size. */
  readonly bytes: Uint8Array | undefined;
}

/** A change of a folder's entries. An undefined node removes the name. */
interface EntryChange extends Change {
  readonly entries: readonly (readonly [name: string, node: Node | undefined])[];
}

class File {
  readonly durable = new Bytes();
  pending: FileChange[] = [];

  makeDurable(changes: readonly FileChange[]): void {
    for (const change of changes) this.durable.apply(change);
  }
}

class Folder {
  /** The entries as processes see them, and as a power cut leaves them. */
  readonly entries = new Map<string, Node>();
  readonly durable = new Map<string, Node>();
  pending: EntryChange[] = [];

  makeDurable(changes: readonly EntryChange[]): void {
    for (const { entries } of changes) applyTo(this.durable, entries);
  }
}

type Node = File | Folder;

/** The files of a state by path. Their contents are built on demand. */
export type Files = ReadonlyMap<string, () => Buffer>;

/**
 * A model of a disk that guarantees no more than POSIX: only synced data is durable. A sync of a file covers
 * its contents; a sync of its folder covers its name. Any other change may or may not survive a power cut.
 */
export class Disk {
  readonly #root = new Folder();

  /** @param at the number of the operation */
  apply(operation: Operation, at: number): void {
    const change = { at, end: operation.end };
    switch (operation.kind) {
      case "open":
        if (this.#find(operation.path) === undefined) this.#enter(operation.path, new File(), change);
        else if (operation.empties)
          this.#file(operation.path).pending.push({ ...change, offset: 0, bytes: undefined });
        break;
      case "write":
        this.#file(operation.path).pending.push({
          ...change,
          offset: operation.offset,
          bytes: operation.bytes,
        });
        break;
      case "resize":
        this.#file(operation.path).pending.push({ ...change, offset: operation.size, bytes: undefined });
        break;
      case "folder":
        this.#enter(operation.path, new Folder(), change);
        break;
      case "remove":
        this.#enter(operation.path, undefined, change);
        break;
      case "rename":
        this.#rename(operation.path, operation.to, change);
        break;
      case "link":
        this.#enter(operation.to, this.#file(operation.path), change);
        break;
      case "sync":
        this.#sync(operation.path, operation.begin);
    }
  }

  /** The state after a power cut at this moment, if these unsynced changes survive. */
  stateAfter(survivors: Survivors): Files {
    const files = new Map<string, () => Buffer>();
    const visit = (folder: Folder, path: string) => {
      const entries = new Map(folder.durable);
      for (const change of survivors.amongEntries(folder.pending)) applyTo(entries, change.entries);
      for (const [name, node] of entries) {
        if (node instanceof Folder) visit(node, `${path}${name}/`);
        else files.set(path + name, () => contentsOf(node, survivors));
      }
    };
    visit(this.#root, "");
    return files;
  }

  /**
   * Makes everything durable that was complete when the sync began. A later change may have been made during
   * the sync.
   */
  #sync(path: string, begin: number): void {
    const node = this.#find(path);
    if (node === undefined) throw new Error(`Nothing to sync at ${path}`);
    const late = node.pending.findIndex(({ end }) => end >= begin);
    const count = late < 0 ? node.pending.length : late;
    if (node instanceof File) node.makeDurable(node.pending.splice(0, count));
    else node.makeDurable(node.pending.splice(0, count));
  }

  #rename(from: string, to: string, change: Change): void {
    if (dirname(from) !== dirname(to)) throw new Error(`From one folder to another: ${from} to ${to}`);
    const node = this.#find(from);
    this.#change(
      dirname(from),
      [
        [basename(from), undefined],
        [basename(to), node],
      ],
      change,
    );
  }

  #enter(path: string, node: Node | undefined, change: Change): void {
    this.#change(dirname(path), [[basename(path), node]], change);
  }

  #change(path: string, entries: EntryChange["entries"], change: Change): void {
    const folder = this.#find(path);
    if (!(folder instanceof Folder)) throw new Error(`No folder ${path}`);
    applyTo(folder.entries, entries);
    folder.pending.push({ ...change, entries });
  }

  #file(path: string): File {
    const node = this.#find(path);
    if (!(node instanceof File)) throw new Error(`No file ${path}`);
    return node;
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of path.split("/").filter((name) => name !== "" && name !== "."))
      node = node instanceof Folder ? node.entries.get(name) : undefined;
    return node;
  }
}

function applyTo(folder: Map<string, Node>, entries: EntryChange["entries"]): void {
  for (const [name, node] of entries) {
    if (node === undefined) folder.delete(name);
    else folder.set(name, node);
  }
}

function contentsOf(file: File, survivors: Survivors): Buffer {
  const bytes = file.durable.copy(survivors.hole);
  for (const change of survivors.amongWrites(file.pending)) bytes.apply(change);
  return bytes.contents;
}
