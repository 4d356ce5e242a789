import { readFileSync } from "node:fs";
import { until } from "./until.ts";

/** Whether this machine can trace system calls and make them fail. */
export const canTrace = (() => {
  try {
    const words = ["-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"];
    return Bun.spawnSync(["strace", ...words], { stderr: "ignore" }).exitCode === 0;
  } catch {
    return false;
  }
})();

if (!canTrace) console.log("No strace can be used here: what needs it is skipped.");

/** Makes the system calls of a running process fail for certain files. */
export class FailingCalls implements AsyncDisposable {
  readonly #strace: Bun.Subprocess;

  private constructor(strace: Bun.Subprocess) {
    this.#strace = strace;
  }

  /** @param calls separated by commas, @param error such as `EIO` */
  static async start(
    pid: number,
    { calls, error, files }: { calls: string; error: string; files: readonly string[] },
  ): Promise<FailingCalls> {
    const of = files.flatMap((file) => ["-P", file]);
    const what = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}`];
    const words = ["-f", "-q", ...of, ...what, "-o", "/dev/null", "-p", String(pid)];
    const strace = Bun.spawn(["strace", ...words], { stderr: "ignore" });
    await until("the process is traced", async () => tracerOf(pid) === strace.pid);
    return new FailingCalls(strace);
  }

  /** Lets the calls succeed again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#strace.kill("SIGINT");
    await this.#strace.exited;
  }
}

function tracerOf(pid: number): number {
  return Number(/^TracerPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
