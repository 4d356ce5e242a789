import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the tests said: `failed` is the first that did, or why there is none. */
export interface Outcome {
  readonly failed?: string;
  /** The file in which it is, if the output says so. */
  readonly file?: string;
}

/** A copy of the tree: the files that git knows or does not ignore, and the packages of the original. */
export class Copy implements Disposable {
  readonly #folder: string;
  #running: ChildProcess | undefined;

  constructor(root: string, folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    const copyAll = 'git ls-files -z --cached --others --exclude-standard | xargs -0 cp -P --parents -t "$0"';
    execFileSync("sh", ["-c", copyAll, folder], { cwd: root });
    // All but the folder in which runs of tests store their own files.
    const packages = join(root, "node_modules");
    for (const name of readdirSync(packages))
      if (name !== ".cache") symlinkSync(join(packages, name), join(folder, "node_modules", name));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text);
  }

  /**
   * Runs the tests at these paths, or all, until the first fails.
   * @param limit in milliseconds; a run that takes longer hangs, which is a failure
   */
  async runTests(paths: readonly string[], limit: number): Promise<Outcome> {
    const child = spawn(process.execPath, ["test/run.ts", "--bail", ...paths], {
      cwd: this.#folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1" },
    });
    this.#running = child;
    let output = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#end("SIGKILL");
    }, limit);
    const read = (chunk: Buffer) => {
      output += chunk;
      if (failureIn(output) !== undefined) this.#end("SIGTERM");
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    clearTimeout(timer);
    this.#end("SIGKILL");
    this.#running = undefined;
    if (late) return { failed: `no end within ${limit / 1_000} s` };
    return failureIn(output) ?? (code === 0 ? {} : { failed: output.trim().split("\n").at(-1) ?? "" });
  }

  /** Whether the compiler lets the copy pass; names that are no longer used do not count. */
  isTyped(): boolean {
    const words = ["--noUnusedLocals", "false", "--noUnusedParameters", "false"];
    return spawnSync("node_modules/.bin/tsc", words, { cwd: this.#folder }).status === 0;
  }

  /** Ends what runs, and removes the copy. */
  [Symbol.dispose](): void {
    this.#end("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Signals a run and all its children. */
  #end(signal: "SIGTERM" | "SIGKILL"): void {
    try {
      if (this.#running?.pid !== undefined) process.kill(-this.#running.pid, signal);
    } catch {
      // They have ended.
    }
  }
}

/** The first test that failed according to an output of `bun test`. */
export function failureIn(output: string): Outcome | undefined {
  const found = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/m.exec(output);
  if (found === null) return undefined;
  const { index, 1: failed = "" } = found;
  const [, file] = [...output.slice(0, index).matchAll(/^((?:src|test)\/\S+\.test\.tsx?):$/gm)].at(-1) ?? [];
  return { failed, ...(file !== undefined && { file }) };
}
