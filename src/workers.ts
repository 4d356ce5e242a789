import { StartError } from "./errors.ts";
import type { Log } from "./log.ts";
import { onStopSignal } from "./signals.ts";

/** Set in the environment of a worker, which shares its port and ends with its supervisor. */
const WORKER_MARK = "COMMONPLACE_WORKER";

/** Messages between worker and supervisor. */
const LISTENING = "listening";
const METRICS = "metrics";

/** A worker that ends sooner than this is restarted only after a pause, in milliseconds. */
const SHORT_LIFE = 1_000;
/** That pause, in milliseconds. */
const PAUSE = 1_000;

/** Whether this process is a worker. */
export function isWorker(): boolean {
  return process.env[WORKER_MARK] !== undefined;
}

export interface WorkerOptions {
  readonly count: number;
  /** The command line of each worker, after the program itself. */
  readonly words: readonly string[];
  readonly log: Log;
  /** Called once, when all of them listen. */
  readonly onListening: () => void;
  readonly watcher?: WorkerWatcher | undefined;
}

/** A worker, for gathering its metrics. */
export interface Worker {
  /** Requests its metrics, unless it has ended. */
  ask(): void;
}

export interface WorkerWatcher {
  started(worker: Worker): void;
  /** It has sent its metrics. */
  received(worker: Worker, metrics: unknown): void;
  /** It has ended unexpectedly. */
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
        if (message !== LISTENING) return watcher?.received(known, message);
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
      if (!listened) return fail(new StartError("A worker process failed to start.", code === 2 ? 2 : 1));
      log.error("A worker process died and is being replaced.", undefined, {
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

/** Notifies the supervisor that this worker listens. */
export function notifyListening(): void {
  process.send?.(LISTENING);
}

/** Sends this worker's metrics to the supervisor at each request. */
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

/** Resolves when the supervisor has exited. */
export function supervisorExited(): Promise<void> {
  return new Promise((resolve) => process.once("disconnect", resolve));
}

function startWorker(words: readonly string[], onMessage: (message: unknown) => void): Bun.Subprocess {
  // A one-file executable is the program itself; the runtime needs the script's path.
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, Bun.main];
  return Bun.spawn([process.execPath, ...program, ...words], {
    env: { ...process.env, [WORKER_MARK]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
    // The end of the channel tells a worker that its supervisor has exited.
    ipc: onMessage,
  });
}
