import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";
import { openDatabase } from "../src/database/open.ts";
import { addAccounts } from "./data/accounts.ts";
import { copyDatabase, isBig, makeDataSet, readThrough, sharedDataSet } from "./data/data-sets.ts";
import type { DataSet } from "./data/fill.ts";
import { CONNECTIONS, headersOf, type Load, type LoadRunner, REFUSED_AT_MOST, type Request } from "./load.ts";
import { type Cores, processorSeconds } from "./machine.ts";
import type { Measure } from "./measure.ts";
import { urlOf } from "./raw-database.ts";
import { listening, type Server } from "./server.ts";

const ROOT = resolve(import.meta.dir, "..");

/** The command as users run it. */
export const COMMAND = [join(ROOT, "bin/commonplace")];

/** The command without the shell script that finds its runtime. */
export const BARE_COMMAND = [process.execPath, "--no-env-file", "--no-install", join(ROOT, "src/main.ts")];

export interface StageOptions {
  readonly cores: Cores;
  readonly load: Load;
  /** The duration of one measurement under load, in seconds. */
  readonly seconds: number;
  /** The duration of the warm-up load before a measurement, in seconds; 0 for none. */
  readonly warmUpSeconds: number;
  /** Whether long measurements are shortened. */
  readonly quick: boolean;
  /** Ends all processes at once and prevents new ones: the current measurement fails. */
  readonly interruption: AbortSignal;
}

export interface LoadOptions {
  readonly connections?: number;
  /** Whether the server waits for a disk or another process, so that it cannot use its core fully. */
  readonly waits?: boolean;
  /** The duration of one measurement in seconds, if it differs from the usual one. */
  readonly seconds?: number;
  /** Where the load runs: on its own core, or on any. */
  readonly cores?: "load" | "any";
}

/** The environment of one row: its folder and processes, which are removed when the row is done. */
export class Stage implements AsyncDisposable {
  readonly cores: Cores;
  readonly quick: boolean;
  readonly #options: StageOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  readonly #children = new Set<Subprocess>();

  constructor(options: StageOptions) {
    this.cores = options.cores;
    this.quick = options.quick;
    this.#options = options;
    options.interruption.addEventListener("abort", this.#endAll);
  }

  /** The number of records in a large collection. */
  get many(): number {
    return this.quick ? 100_000 : 1_000_000;
  }

  /** The path of a file in the stage's folder. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  /** Makes a SQLite database for this row alone. @returns its path */
  async database(set: DataSet): Promise<string> {
    const path = this.file(`${crypto.randomUUID()}.db`);
    if (isBig(set)) copyDatabase(await sharedDataSet(set, this.#runAnywhere), path);
    else await makeDataSet(path, set, this.#runAnywhere);
    return path;
  }

  /**
   * A SQLite database that is only read. Its file is in the system's cache as far as it fits: no row measures
   * a cold disk.
   * @returns its path
   */
  async sharedDatabase(set: DataSet): Promise<string> {
    if (!isBig(set)) return this.database(set);
    const path = await sharedDataSet(set, this.#runAnywhere);
    readThrough(path);
    return path;
  }

  /**
   * Adds accounts to a database, given by path or URL.
   * @returns the headers of requests in the name of the first account
   */
  async accounts(database: string, count = 1): Promise<Record<string, string>> {
    const opened = await openDatabase(urlOf(database));
    const token = await addAccounts(opened, count);
    await opened.close();
    return { authorization: `Token ${token}` };
  }

  /** Starts our server as users do, with default settings. Its log is discarded. */
  server(database: string): Promise<Server> {
    return listening(this.start([...this.cores.server, ...COMMAND, "serve"], settingsFor(database)));
  }

  /** Starts one of the servers of `bare/`. */
  bareServer(name: string, ...words: readonly string[]): Promise<Server> {
    const script = join(import.meta.dir, "bare", `${name}.ts`);
    return listening(this.start([...this.cores.server, process.execPath, script, ...words]));
  }

  /** Warms a server up. Each measurement then puts it under load and counts the responses per second. */
  async underLoad(
    server: Server,
    requests: readonly Request[],
    { waits = false, seconds = this.#options.seconds, ...options }: LoadOptions = {},
  ): Promise<Measure> {
    const { warmUpSeconds } = this.#options;
    const fire = await this.prepare(server, requests, options);
    if (warmUpSeconds > 0) await fire(warmUpSeconds);
    return async () => {
      const before = processorSeconds(server.pid);
      const { answered, refused, seconds: taken } = await fire(seconds);
      const after = processorSeconds(server.pid);
      const known = before !== undefined && after !== undefined && !waits;
      return {
        value: answered / taken,
        busy: known ? (after - before) / taken : undefined,
        refused: refused / (answered + refused),
      };
    };
  }

  /** Prepares a load on a server. The load @throws when a response is wrong: errors must not look like speed */
  async prepare(
    server: Server,
    requests: readonly Request[],
    { connections = CONNECTIONS, cores = "load" }: Pick<LoadOptions, "connections" | "cores"> = {},
  ): Promise<LoadRunner> {
    await refuseWrongResponse(server, requests[0]);
    const options = { connections, cores: this.cores[cores] };
    const fire = await this.#options.load.prepare(this, server.url, requests, options);
    return async (seconds) => {
      const tally = await fire(seconds);
      const { answered, refused, broken } = tally;
      if (refused > answered * REFUSED_AT_MOST || broken > 0 || answered === 0)
        throw new Error(
          `${answered} requests were answered, ${refused} refused, and ${broken} connections broke`,
        );
      return tally;
    };
  }

  /** Runs a command and waits until it ends. @returns its standard output. @throws when its exit code is not 0 */
  async run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = this.start(words, env);
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    if (code !== 0) throw new Error(`${words.join(" ")} exited with ${code}`);
    return output;
  }

  /** Starts a command. Its standard error is passed through. */
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
    // A process that is still ending could write to the folder.
    await Promise.all(Array.from(this.#children, ({ exited }) => exited));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly #runAnywhere = (words: readonly string[]) => this.run([...this.cores.any, ...words]);

  readonly #endAll = () => {
    for (const child of this.#children) child.kill("SIGKILL");
  };
}

/** A load counts redirects as responses, so one response is checked in detail. */
async function refuseWrongResponse({ url }: Server, request?: Request): Promise<void> {
  if (request === undefined) throw new Error("a load needs a request");
  const { method, path, body = null } = request;
  const { status } = await fetch(url + path, {
    method,
    headers: headersOf(request),
    body,
    redirect: "manual",
  });
  if (status >= 300 && status !== 304) throw new Error(`${method} ${path} was answered with ${status}`);
}

/** The environment of a server or command that uses a database, given by path or URL. */
export function settingsFor(database: string): Record<string, string> {
  return { PORT: "0", DATABASE_URL: urlOf(database) };
}
