/**
 * The lifetime of a server under load, from an empty folder: checkpoints, a backup and an import, a kill, a
 * stop, a restore, two workers, the undo of an import, a compaction, and the final stop. `recording.ts` runs
 * it under `strace`.
 */
import { cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COLLECTION } from "../../support/records/bookmarks.ts";
import { Random } from "../../support/run/random.ts";
import { killAll } from "../../support/server/processes.ts";
import { type RunningServer, run, startServer } from "../../support/server/server.ts";
import { readContents } from "./contents.ts";
import { Load } from "./load.ts";
import {
  BACKUP,
  DATABASE,
  DISK,
  KILLED,
  MARKS,
  type State,
  stateOf,
  stateOfBytes,
  writeMark,
} from "./marks.ts";

/** The amount of data to write. */
export interface Size {
  /** The minimum number of confirmed writes between two events. */
  readonly writes: number;
  /** The number of clients that write bookmarks; half as many write posts. */
  readonly clients: number;
  /** The number of imported bookmarks. Above a few thousand, checkpoints run in a thread. */
  readonly imported: number;
}

class Workload implements AsyncDisposable {
  readonly #writes: number;
  readonly #disk: string;
  readonly #killed: string;
  readonly #backup: string;
  readonly #imported: string;
  readonly #importedNumbers: readonly number[];
  readonly #settings: Readonly<Record<string, string>>;
  readonly #marks: number;
  readonly #load: Load;
  #server: RunningServer | undefined;
  #commands = 0;

  constructor(folder: string, random: Random, { writes, clients, imported }: Size) {
    this.#writes = writes;
    this.#importedNumbers = Array.from({ length: imported }, (_, number) => number);
    this.#disk = join(folder, DISK);
    this.#killed = join(folder, KILLED);
    this.#backup = join(this.#disk, BACKUP);
    this.#imported = join(folder, "imported.html");
    this.#settings = { DATABASE_URL: `sqlite:${join(this.#disk, DATABASE)}`, POSTS_ACCESS: "open" };
    this.#marks = openSync(join(folder, MARKS), "a");
    this.#load = new Load(this.#marks, random, clients);
    mkdirSync(dirname(this.#backup), { recursive: true });
    writeFileSync(this.#imported, bookmarkFile(this.#importedNumbers));
  }

  async run(): Promise<void> {
    await this.#startUnderLoad();
    await this.#underLoad(() => this.#command(["import", this.#imported], this.#importedRecords(false)));
    await this.#underLoad(() => this.#backUp());
    await this.#load.endsWith(() => this.#kill());

    await this.#startUnderLoad();
    await this.#load.endsWith(() => this.#stop());
    await this.#restore();

    await this.#startUnderLoad({ WORKERS: "2" });
    await this.#underLoad(() => this.#command(["import", "--undo", "1"], this.#importedRecords(true)));
    await this.#underLoad(() => this.#backUp("--force"));
    await this.#underLoad(() => this.#command(["compact"], {}));
    await this.#load.endsWith(() => this.#stop());
  }

  /** A server that survives a failure would keep the tracer waiting. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.stop();
  }

  async #startUnderLoad(more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#server = await startServer({ ...this.#settings, ...more });
    this.#load.start(this.#server.url);
    await this.#load.confirms(this.#writes);
  }

  async #underLoad(work: () => Promise<void>): Promise<void> {
    await Promise.all([work(), this.#load.confirms(this.#writes)]);
  }

  async #stop(): Promise<void> {
    const code = await this.#server?.stop();
    if (code !== 0) throw new Error(`The server ended with ${code}`);
  }

  async #kill(): Promise<void> {
    if (this.#server !== undefined) await killAll(this.#server);
    cpSync(this.#disk, this.#killed, { recursive: true });
  }

  async #backUp(...flags: string[]): Promise<void> {
    await this.#command(["backup", this.#backup, ...flags], { [BACKUP]: "not known yet" }, () => ({
      backup: stateOfBytes(readFileSync(this.#backup)),
    }));
  }

  async #restore(): Promise<void> {
    const request = this.#nextRequest();
    const contents = Object.fromEntries(readContents(this.#backup));
    writeMark(this.#marks, { kind: "restoring", request, contents });
    await this.#succeed(["restore", "--force", this.#backup]);
    writeMark(this.#marks, { kind: "finished", request });
  }

  /** @param result what is only known when the command is done */
  async #command(
    words: readonly string[],
    changes: Readonly<Record<string, State>>,
    result: () => { backup?: string } = () => ({}),
  ): Promise<void> {
    const request = this.#nextRequest();
    writeMark(this.#marks, { kind: "sent", request, changes });
    await this.#succeed(words);
    writeMark(this.#marks, { kind: "finished", request, ...result() });
  }

  #nextRequest(): string {
    return `command-${this.#commands++}`;
  }

  async #succeed(words: readonly string[]): Promise<void> {
    const { code, stderr } = await run(words, { env: { ...this.#settings } });
    if (code !== 0) throw new Error(`commonplace ${words.join(" ")}: ${stderr}`);
  }

  #importedRecords(areGone: boolean): Record<string, State> {
    return Object.fromEntries(
      this.#importedNumbers.map((number) => [
        `bookmark imported ${number}`,
        areGone ? null : stateOf(urlOf(number), ""),
      ]),
    );
  }
}

function bookmarkFile(numbers: readonly number[]): string {
  const items = numbers.map((n) => `<DT><A HREF="${urlOf(n)}">imported ${n}</A>\n`);
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${items.join("")}</DL><p>\n`;
}

function urlOf(number: number): string {
  return `https://imported.example${COLLECTION}${number}`;
}

if (import.meta.main) {
  const [folder = "", seed = "", size = ""] = process.argv.slice(2);
  await using workload = new Workload(folder, new Random(Number(seed)), JSON.parse(size));
  await workload.run();
}
