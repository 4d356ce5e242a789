import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../../src/errors.ts";
import { Disk } from "./disk.ts";
import { DISK } from "./marks.ts";
import { type Operation, readOperations } from "./operations.ts";
import { Promises } from "./promises.ts";
import { EVERYTHING } from "./survivors.ts";
import { underTrace } from "./trace.ts";
import type { Size } from "./workload.ts";

/** All operations of one server's lifetime on its files, and its promises. */
export class Recording implements Disposable {
  readonly folder: string;
  readonly operations: readonly Operation[];
  readonly promises: Promises;

  /** @param folder the folder of an earlier recording. @throws when the recording contradicts itself */
  constructor(folder: string) {
    this.folder = realpathSync(folder);
    try {
      this.operations = readOperations(this.folder);
      this.promises = new Promises(this.operations);
      this.#compareWithDisk();
    } catch (error) {
      throw new Error(`The recording ${this.folder} contradicts itself: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Runs the workload and records it. */
  static async make(seed: number, size: Size): Promise<Recording> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-power-cuts-")));
    const program = [process.execPath, "--no-env-file", join(import.meta.dir, "workload.ts")];
    const words = [
      ...underTrace(join(folder, "trace")),
      ...program,
      folder,
      String(seed),
      JSON.stringify(size),
    ];
    const child = Bun.spawn(words, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (code !== 0) throw new Error(`The workload failed, see ${folder}: ${said}`);
    return new Recording(folder);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** If no operation is missing, all of them together produce the files that exist now. */
  #compareWithDisk(): void {
    const disk = new Disk();
    for (const [at, operation] of this.operations.entries()) disk.apply(operation, at);
    const rebuilt = disk.stateAfter(EVERYTHING);
    const folder = join(this.folder, DISK);
    const there = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    const differing = [...new Set([...there, ...rebuilt.keys()])].filter(
      (path) =>
        !there.includes(path) ||
        rebuilt
          .get(path)?.()
          .equals(readFileSync(join(folder, path))) !== true,
    );
    if (differing.length > 0)
      throw new Error(`the operations do not give the files that are there: ${differing.join(", ")}`);
  }
}
