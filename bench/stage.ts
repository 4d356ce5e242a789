import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";
import { insertBookmark } from "../src/bookmarks/bookmark-store.ts";
import { openDatabase } from "../src/database/open.ts";
import type { Load, Request } from "./load.ts";
import { type Cores, processorSeconds } from "./machine.ts";
import type { Measure } from "./row.ts";
import { sampleBookmarks } from "./sample-bookmarks.ts";

const ROOT = resolve(import.meta.dir, "..");

/** The command as people run it. */
export const COMMAND = [join(ROOT, "bin/commonplace")];

/** The command without the shell script that finds its runtime. */
export const BARE_COMMAND = [process.execPath, "--no-env-file", "--no-install", join(ROOT, "src/main.ts")];

export interface StageOptions {
  readonly cores: Cores;
  readonly load: Load;
  /** How long one measurement under load takes, in seconds. */
  readonly seconds: number;
  /** How long a server is under load before it is measured, in seconds. */
  readonly warmUpSeconds: number;
  /** Ends what runs, at once, and lets nothing start any more: what is being measured fails. */
  readonly interruption: AbortSignal;
}

/** A server in a process of its own. */
export interface Server {
  /** Its origin. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Where a row is measured: a folder and processes of its own, all of them gone when the row is over. */
export class Stage implements AsyncDisposable {
  readonly cores: Cores;
  readonly #options: StageOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  readonly #children = new Set<Subprocess>();

  constructor(options: StageOptions) {
    this.cores = options.cores;
    this.#options = options;
    options.interruption.addEventListener("abort", this.#endAll);
  }

  /** The path of a file in the stage's folder. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  /** A database of its own with made-up bookmarks, ids from 1 on. @returns its path */
  async database(bookmarks: number): Promise<string> {
    const path = this.file(`${crypto.randomUUID()}.db`);
    const database = await openDatabase(`sqlite:${path}`);
    await database.write(async (sql) => {
      for (const { createdAt, ...fields } of sampleBookmarks(bookmarks))
        await insertBookmark(sql, fields, undefined, createdAt);
    });
    await database.close();
    return path;
  }

  /** Starts our server as people do, with default settings, its log read and thrown away. */
  server(database: string): Promise<Server> {
    return this.#listen([...COMMAND, "serve"], settingsFor(database));
  }

  /** Starts one of the servers of `bare/`. */
  bareServer(name: "look-up" | "same-bytes", argument: string): Promise<Server> {
    return this.#listen([process.execPath, join(import.meta.dir, "bare", `${name}.ts`), argument], {});
  }

  /** Warms a server up. Each measurement then puts it under load, and counts the answers per second. */
  async underLoad(server: Server, requests: readonly Request[]): Promise<Measure> {
    const { load, seconds, warmUpSeconds } = this.#options;
    const fire = await load.aim(this, server.url, requests);
    await fire(warmUpSeconds);
    return async () => {
      const before = processorSeconds(server.pid);
      const { answered, failed, seconds: taken } = await fire(seconds);
      const after = processorSeconds(server.pid);
      if (failed > 0 || answered === 0)
        throw new Error(`${failed} of ${answered + failed} requests to ${server.url} failed`);
      return {
        value: answered / taken,
        busy: before === undefined || after === undefined ? undefined : (after - before) / taken,
      };
    };
  }

  /** Runs a command to its end. @returns its standard output. @throws when its exit code is not 0 */
  async run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = this.start(words, env);
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    if (code !== 0) throw new Error(`${words.join(" ")} exited with ${code}`);
    return output;
  }

  /** Starts a command; what it says on standard error is passed on. */
  start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#options.interruption.throwIfAborted();
    const child = Bun.spawn([...words], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH ?? "", ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.#children.add(child);
    child.exited.then(() => this.#children.delete(child));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.interruption.removeEventListener("abort", this.#endAll);
    this.#endAll();
    // A process that is not quite gone could still write to the folder.
    await Promise.all(Array.from(this.#children, ({ exited }) => exited));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly #endAll = () => {
    for (const child of this.#children) child.kill("SIGKILL");
  };

  async #listen(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Server> {
    const child = this.start([...this.cores.server, ...words], env);
    const { promise: url, resolve: heard, reject } = Promise.withResolvers<string>();
    const reading = readAddress(child.stdout, heard);
    child.exited.then((code) => reject(new Error(`${words.join(" ")} exited with ${code}`)));
    return {
      url: await url,
      pid: child.pid,
      async stop() {
        child.kill("SIGTERM");
        await child.exited;
        await reading;
      },
    };
  }
}

/** The environment of a server or command that works on a database. */
export function settingsFor(database: string): Record<string, string> {
  return { PORT: "0", DATABASE_URL: `sqlite:${database}` };
}

/** Tells the address that a server logs, and reads on to its log's end, as whoever keeps a log does. */
async function readAddress(output: ReadableStream<Uint8Array>, heard: (url: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let start = "";
  for await (const chunk of output) {
    if (start.length > 4_096) continue;
    start += decoder.decode(chunk, { stream: true });
    const address = /Listening on (http:\/\/[^"\s]+)/.exec(start)?.[1];
    if (address !== undefined) heard(address);
  }
}
