import { readFileSync } from "node:fs";
import { constants } from "node:os";

/**
 * They would end the process at once. They mean nothing here, except to the supervisor of workers: see
 * {@link onRestartSignal}.
 */
const IGNORED = ["SIGUSR1", "SIGUSR2"] as const;

/**
 * Calls `onStop` at the first SIGTERM, SIGINT or SIGHUP, and ignores all later ones: Ctrl-C reaches a server
 * under `npm start` twice, from the terminal and from npm. A closed terminal sends SIGHUP, except to a process
 * under nohup(1).
 */
export function onStopSignal(onStop: (signal: NodeJS.Signals) => void): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    onStop(signal);
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  if (!isIgnored("SIGHUP")) process.on("SIGHUP", stop);
  for (const signal of IGNORED) process.on(signal, () => {});
}

/** Calls `onRestart` at each SIGUSR2. */
export function onRestartSignal(onRestart: () => void): void {
  process.on("SIGUSR2", onRestart);
}

/** Whether this process was started with a signal ignored (Linux: `SigIgn` in proc_pid_status(5)). */
function isIgnored(signal: NodeJS.Signals): boolean {
  try {
    const [, mask = "0"] = /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
  } catch {
    return false;
  }
}
