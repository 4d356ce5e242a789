import { posix } from "node:path";
import { Refusal, StartError } from "../../errors.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import type { Staging } from "../staging.ts";

/** The maximum size of an image file in an archive, in bytes. */
const PICTURE_MAX = 64 * 1024 * 1024;

/** The images of an archive or folder. Those used by posts are imported, each once. */
export class ArchivePictures {
  readonly #tree: FileTree;
  readonly #records: Staging;
  readonly #now: Date;
  /** The new path of each inspected file; undefined if it cannot be used. */
  readonly #paths = new Map<string, Promise<string | undefined>>();

  constructor(tree: FileTree, records: Staging, now: Date) {
    this.#tree = tree;
    this.#records = records;
    this.#now = now;
  }

  /** The first of some paths with a file in the archive. */
  find(paths: readonly string[]): string | undefined {
    return paths.map((path) => posix.normalize(path)).find((path) => this.#tree.sizes.has(path));
  }

  /** Adds a picture to the import. @returns its path here; undefined, with a row in the report, when it cannot be imported */
  add(file: string): Promise<string | undefined> {
    const path = this.#paths.get(file) ?? this.#import(file);
    this.#paths.set(file, path);
    return path;
  }

  async #import(file: string): Promise<string | undefined> {
    try {
      const bytes = await readTreeFile(this.#tree, file, PICTURE_MAX);
      return await this.#records.addPicture(bytes, { file, line: 1 }, this.#now);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof StartError)) throw error;
      const detail = `It is not imported, and its links are unchanged. ${error.message}`;
      this.#records.skip("image", { file, line: 1 }, file, "picture_not_imported", detail);
      return undefined;
    }
  }
}
