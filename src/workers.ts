import { StartError } from "./errors.ts";
import type { Log } from "./log.ts";
import { onStopSignal } from "./signals.ts";

/** Set in the environment of a worker; it shares its port, and ends when the process that started it does. */
const WORKER_MARK = "COMMONPLACE_WORKER";

/** What a worker says when it listens, and what it is asked. */
const LISTENING = "listening";
const METRICS = "metrics";

/** A worker that lives shorter than this may have a reason that starting another does not mend, in milliseconds. */
const SHORT_LIFE = 1_000;
/** How long to wait before replacing one that lived so shortly. */
const PAUSE = 1_000;

/** Whether this process is a worker of another one. */
export function isWorker(): boolean {
  return process.env[WORKER_MARK] !== undefined;
}

export interface WorkerOptions {
  readonly count: number;
  /** What each worker is started with, after the program itself. */
  readonly words: readonly string[];
  readonly log: Log;
  /** Called once, when all of them listen. */
  readonly onListening: () => void;
  readonly watcher?: WorkerWatcher | undefined;
}

/** A worker, as whoever gathers what workers measure knows it. */
export interface Worker {
  /** Asks it for its metrics, if it can still be asked. */
  ask(): void;
}

export interface WorkerWatcher {
  started(worker: Worker): void;
  /** It tells its metrics. */
  heard(worker: Worker, metrics: unknown): void;
  /** It has ended without having been told to. */
  ended(worker: Worker): void;
}

/**
 * Runs workers behind one port until SIGTERM, SIGINT or SIGHUP, and replaces those that die.
 *
 * @throws StartError when one ends before it has ever listened
 */
export async function superviseWorkers(options: WorkerOptions): Promise<void> {
  const { count, words, log, onListening, watcher } = options;
  const running = new Set<Bun.Subprocess>();
  let stopping = false;
  let listening = 0;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();

  async function keepOneRunning(): Promise<void> {
    let listened = false;
    while (!stopping) {
      const started = performance.now();
      const worker = startWorker(words, (message) => {
        if (message !== LISTENING) return watcher?.heard(known, message);
        if (listened) return;
        listened = true;
        listening++;
        if (listening === count) onListening();
      });
      const known: Worker = { ask: () => ask(worker) };
      running.add(worker);
      watcher?.started(known);
      const code = await worker.exited;
      running.delete(worker);
      if (stopping) return;
      watcher?.ended(known);
      if (!listened) return fail(new StartError("A worker could not start.", code === 2 ? 2 : 1));
      log.error("A worker died and is replaced.", undefined, {
        pid: worker.pid,
        reason: worker.signalCode ?? `exit code ${code}`,
      });
      if (performance.now() - started < SHORT_LIFE) await Bun.sleep(PAUSE);
    }
  }

  function stop(): void {
    stopping = true;
    for (const worker of running) worker.kill("SIGTERM");
  }

  onStopSignal(stop);
  try {
    await Promise.race([Promise.all(Array.from({ length: count }, keepOneRunning)), failed]);
  } finally {
    stop();
    await Promise.all([...running].map((worker) => worker.exited));
  }
}

/** Tells the process that started this worker that it listens. */
export function notifyListening(): void {
  process.send?.(LISTENING);
}

/** Tells the process that started this worker its metrics whenever it asks. */
export function sendMetrics(take: () => Promise<unknown>, onError: (error: unknown) => void): void {
  process.on("message", (message) => {
    if (message === METRICS) take().then((metrics) => process.send?.(metrics), onError);
  });
}

function ask(worker: Bun.Subprocess): void {
  try {
    worker.send(METRICS);
  } catch {
    // It has just ended.
  }
}

/** Resolves when the process that started this worker is gone. */
export function supervisorExited(): Promise<void> {
  return new Promise((resolve) => process.once("disconnect", resolve));
}

function startWorker(words: readonly string[], onMessage: (message: unknown) => void): Bun.Subprocess {
  // A one-file executable is the program itself; the runtime alone has to be told of it.
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, Bun.main];
  return Bun.spawn([process.execPath, ...program, ...words], {
    env: { ...process.env, [WORKER_MARK]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
    // The channel's end tells a worker that this process is gone.
    ipc: onMessage,
  });
}
