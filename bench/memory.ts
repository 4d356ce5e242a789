import { linuxStatus } from "./machine.ts";

/** The interval between two samples, in milliseconds. */
const PACE = 20;

/** The resident set of a process, in MiB. */
export function residentMiB(pid: number): number {
  const kibibytes =
    linuxStatus(pid, "VmRSS") ?? Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]).stdout;
  return Number.parseInt(kibibytes.toString(), 10) / 1024;
}

/** Samples the memory of a process until it is stopped. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #peak = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), PACE);
    this.#look();
  }

  /** @returns the peak, in MiB */
  stop(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#peak;
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, residentMiB(this.#pid));
  }
}
