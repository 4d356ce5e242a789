import { posix } from "node:path";
import { Refusal, StartError } from "../../errors.ts";
import { acceptImage } from "../../media/accept-image.ts";
import { mediaPath } from "../../media/media.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import type { Place } from "../import/record.ts";
import type { StagedRecords } from "../import/staged-records.ts";

/** The most bytes that a picture of an archive may have. */
const PICTURE_MAX = 64 * 1024 * 1024;

/** The pictures of an archive or folder: each that a post shows becomes an image here, once. */
export class ArchivePictures {
  readonly #tree: FileTree;
  readonly #records: StagedRecords;
  readonly #now: Date;
  /** The path here of each inspected file; undefined if it cannot be used. */
  readonly #taken = new Map<string, Promise<string | undefined>>();

  constructor(tree: FileTree, records: StagedRecords, now: Date) {
    this.#tree = tree;
    this.#records = records;
    this.#now = now;
  }

  /** The first of some paths that the archive has a file at. */
  find(paths: readonly string[]): string | undefined {
    return paths.map((path) => posix.normalize(path)).find((path) => this.#tree.sizes.has(path));
  }

  /** Takes a picture. @returns its path here; undefined, and a note, when it is none that can be taken */
  take(file: string, place: Place): Promise<string | undefined> {
    const taken = this.#taken.get(file) ?? this.#take(file, place);
    this.#taken.set(file, taken);
    return taken;
  }

  async #take(file: string, place: Place): Promise<string | undefined> {
    try {
      const accepted = await acceptImage(await readTreeFile(this.#tree, file, PICTURE_MAX));
      this.#records.addImage(accepted, { file, line: 1 }, this.#now);
      return mediaPath(accepted.media);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof StartError)) throw error;
      const detail = `The picture ${file} is not taken: ${error.message}`;
      this.#records.note({ ...place, code: "picture_not_taken", detail });
      return undefined;
    }
  }
}
