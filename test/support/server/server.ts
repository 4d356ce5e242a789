import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { given } from "../given/given.ts";
import { freePort } from "../machine/free-port.ts";
import { folderOfFile } from "../run/run-folder.ts";

const ROOT = resolve(import.meta.dir, "../../..");

/** The command as users run it: from its source, or the one-file executable that a run of all tests has built. */
export const COMMAND = process.env.TEST_EXECUTABLE ?? join(ROOT, "bin/commonplace");

/** The same, with what only tests give (`test/server.ts`). */
const TESTED =
  process.env.TEST_EXECUTABLE === undefined
    ? [process.execPath, "--no-env-file", "--no-install", join(ROOT, "test/server.ts")]
    : [process.env.TEST_EXECUTABLE];

/** A server in a separate process, started like a user does. */
export interface RunningServer {
  /** Its address, or `unix:` and the path of its socket. */
  readonly url: string;
  readonly pid: number;
  /** Every logged line so far. */
  readonly lines: readonly string[];
  readonly exited: Promise<number>;
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** How a command is called, besides its settings. */
export interface CallOptions {
  /** Arguments after `serve`. */
  readonly flags?: readonly string[];
  /** A program, with its arguments, that runs the command, for example with fewer rights. */
  readonly under?: readonly string[];
}

/**
 * Starts `commonplace serve` on a free port and resolves when it listens.
 * @param settings environment variables
 */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  { flags = [], under = [] }: CallOptions = {},
): Promise<RunningServer> {
  // Several processes look for a free port one after the other: meanwhile, another program could take it.
  const isShared = flags.includes("--workers") || "WORKERS" in settings;
  const child = Bun.spawn([...under, ...TESTED, "serve", ...flags], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? "",
      TEST_GIVEN: JSON.stringify(given()),
      PORT: isShared ? String(await freePort()) : "0",
      STOP_DELAY: "0s",
      ...settings,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const folder = folderOfRunningFile();
  const lines: string[] = [];
  const { promise: listening, resolve: heard, reject } = Promise.withResolvers<string>();
  const reading = (async () => {
    for await (const line of readLines(child.stdout)) {
      lines.push(line);
      if (folder !== undefined) keepLine(join(folder, `server-${child.pid}.log`), line);
      const address = /Listening on ((?:http:\/\/|unix:)[^"\s]+)/.exec(line)?.[1];
      if (address) heard(address);
    }
  })();
  child.exited.then(async (code) => {
    reject(new Error(`serve exited with ${code}: ${await new Response(child.stderr).text()}`));
  });
  const url = await listening;
  return {
    url,
    pid: child.pid,
    lines,
    exited: child.exited,
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      await reading;
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Adds a line to a server's log. A server that is still stopping may outlive the folder of its file. */
function keepLine(path: string, line: string): void {
  try {
    appendFileSync(path, `${line}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** A program, with its arguments, that runs the command. */
  readonly under?: readonly string[];
}

/**
 * Commands that the short run runs in its own process. Of the others, some serve, and some lower the priority of their
 * process or lock a file for it.
 */
const RUN_HERE: ReadonlySet<string> = new Set([
  ...["account", "token", "content-key", "welcome", "openapi"],
  ...["undo", "search", "add", "import", "export", "mcp"],
  ...["check", "compact", "move", "reindex"],
]);

/** Runs the command and waits until it ends: in a separate process, but in the short run most in this one. */
export async function run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const env = { PATH: process.env.PATH ?? "", ...options.env };
  if (canRunHere(words, options)) {
    const { runHere } = await import("../machine/run-here.ts");
    return runHere(words, env, options.stdin);
  }
  const child = Bun.spawn([...(options.under ?? []), COMMAND, ...words], {
    cwd: options.cwd ?? tmpdir(),
    env,
    stdin: options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

function canRunHere([name = "", ...words]: readonly string[], options: RunOptions): boolean {
  if (!process.env.TEST_COMMANDS_HERE || !RUN_HERE.has(name)) return false;
  if (options.cwd !== undefined || options.under !== undefined) return false;
  // A file is read from the descriptor of the standard input.
  return name !== "import" || !words.includes("-");
}

/** Where the test file that is running leaves its folders, if `test/run.ts` removes them. */
function folderOfRunningFile(): string | undefined {
  const { TEST_RUN_FOLDER } = process.env;
  if (TEST_RUN_FOLDER === undefined) return undefined;
  const folder = folderOfFile(TEST_RUN_FOLDER, relative(ROOT, Bun.main));
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

/**
 * A folder that is removed at the end of the scope: `using folder = temporaryFolder()`. In a run of `test/run.ts` it
 * stays until the tests of the file have passed.
 */
export function temporaryFolder(): { readonly path: string; file(name: string): string } & Disposable {
  const ofFile = folderOfRunningFile();
  const path = mkdtempSync(join(ofFile ?? tmpdir(), "commonplace-"));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => {
      if (ofFile === undefined) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
