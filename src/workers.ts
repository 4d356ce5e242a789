import { StartError } from "./errors.ts";
import type { Log } from "./log.ts";
import { onRestartSignal, onStopSignal } from "./signals.ts";

/** The number of a worker, in its environment. A worker shares its port and ends with its supervisor. */
const WORKER_NUMBER = "COMMONPLACE_WORKER";

/** The message of a worker to its supervisor. */
const LISTENING = "listening";

/** A worker that ends sooner than this is restarted only after a pause, in milliseconds. */
const SHORT_LIFE = 1_000;
/** That pause, in milliseconds. */
const PAUSE = 1_000;

/** Whether this process is a worker. */
export function isWorker(): boolean {
  return process.env[WORKER_NUMBER] !== undefined;
}

/** The number of this worker, from 0; a worker that replaces another one has the same. 0 in a process that is no worker. */
export function workerNumber(): number {
  return Number(process.env[WORKER_NUMBER] ?? 0);
}

export interface WorkerOptions {
  readonly count: number;
  /** The command line of each worker, after the program itself. */
  readonly args: readonly string[];
  readonly log: Log;
  /** Called once, when all of them listen, with the numbers of their processes. */
  readonly onListening: (pids: readonly number[]) => void;
}

/**
 * Runs workers behind one port until SIGTERM, SIGINT or SIGHUP, and replaces those that die. SIGUSR2 replaces all of
 * them, one after another: each new one listens before the old one stops, so no request is refused.
 *
 * @throws StartError when one ends before it has ever listened
 */
export async function superviseWorkers(options: WorkerOptions): Promise<void> {
  await new Supervisor(options).run();
}

class Supervisor {
  readonly #options: WorkerOptions;
  readonly #slots: Slot[] = [];
  readonly #failed = Promise.withResolvers<never>();
  #stopping = false;
  /** The restart under way. */
  #restart: Promise<void> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    onStopSignal((signal) => this.#stop(signal));
    onRestartSignal(() => {
      this.#restart = this.#restart.then(() => this.#replaceAll());
    });
    const { count, onListening } = this.#options;
    for (let number = 0; number < count; number++) this.#slots.push({ number, worker: this.#start(number) });
    Promise.all(this.#slots.map(({ worker }) => worker.listening)).then(
      () => onListening(this.#slots.map(({ worker }) => worker.pid)),
      (error) => {
        if (!this.#stopping) this.#failed.reject(error);
      },
    );
    try {
      await Promise.race([
        Promise.all(this.#slots.map((slot) => this.#keepRunning(slot))),
        this.#failed.promise,
      ]);
    } finally {
      this.#stop("SIGINT");
      await Promise.all(this.#slots.flatMap(({ worker, next }) => [worker.exited, next?.exited]));
    }
  }

  #start(number: number): WorkerProcess {
    return new WorkerProcess(this.#options.args, number);
  }

  #stop(signal: NodeJS.Signals): void {
    this.#stopping = true;
    for (const { worker, next } of this.#slots) {
      worker.stop(signal);
      next?.stop(signal);
    }
  }

  async #keepRunning(slot: Slot): Promise<void> {
    for (;;) {
      const { worker } = slot;
      const reason = await worker.exited;
      if (this.#stopping) return;
      if (slot.worker !== worker) continue;
      this.#options.log.error("A worker process died and is being replaced.", undefined, {
        pid: worker.pid,
        reason,
      });
      if (worker.age() < SHORT_LIFE) await Bun.sleep(PAUSE);
      if (this.#stopping) return;
      if (slot.worker !== worker) continue;
      slot.worker = this.#start(slot.number);
      // A worker that dies again before it listens is handled at its exit.
      slot.worker.listening.catch(() => {});
    }
  }

  async #replaceAll(): Promise<void> {
    const { log } = this.#options;
    log.info("Replacing the worker processes one by one");
    for (const slot of this.#slots) {
      if (this.#stopping) return;
      const next = this.#start(slot.number);
      slot.next = next;
      try {
        await next.listening;
      } catch (error) {
        slot.next = undefined;
        if (this.#stopping) return;
        log.error("A new worker process failed to start. The others keep running.", error);
        return;
      }
      const old = slot.worker;
      slot.worker = next;
      slot.next = undefined;
      // Not SIGTERM: the port stays ready.
      old.stop("SIGINT");
      await old.exited;
    }
    log.info("Replaced the worker processes");
  }
}

/** The place of one worker. */
interface Slot {
  readonly number: number;
  worker: WorkerProcess;
  /** The worker that replaces this one as soon as it listens. */
  next?: WorkerProcess | undefined;
}

class WorkerProcess {
  readonly pid: number;
  /** Resolves when it listens. @throws StartError when it ends before */
  readonly listening: Promise<void>;
  /** Resolves with the reason when it ends. */
  readonly exited: Promise<string>;
  readonly #process: Bun.Subprocess;
  readonly #started = performance.now();

  constructor(words: readonly string[], number: number) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.listening = promise;
    this.#process = startWorker(words, number, (message) => {
      if (message === LISTENING) resolve();
    });
    this.pid = this.#process.pid;
    this.exited = this.#process.exited.then((code) => {
      reject(new StartError("A worker process failed to start.", code === 2 ? 2 : 1));
      return String(this.#process.signalCode ?? `exit code ${code}`);
    });
  }

  /** It answers the requests in flight, and ends. At SIGTERM, it first serves for STOP_DELAY, without being ready. */
  stop(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** How long ago it was started, in milliseconds. */
  age(): number {
    return performance.now() - this.#started;
  }
}

/** Notifies the supervisor that this worker listens. */
export function notifyListening(): void {
  process.send?.(LISTENING);
}

/** Resolves when the supervisor has exited. */
export function supervisorExited(): Promise<void> {
  return new Promise((resolve) => process.once("disconnect", resolve));
}

function startWorker(
  words: readonly string[],
  number: number,
  onMessage: (message: unknown) => void,
): Bun.Subprocess {
  // A one-file executable is the program itself; the runtime needs the script's path.
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, Bun.main];
  return Bun.spawn([process.execPath, ...program, ...words], {
    env: { ...process.env, [WORKER_NUMBER]: String(number) },
    stdio: ["ignore", "inherit", "inherit"],
    // When the channel ends, the supervisor has exited.
    ipc: onMessage,
  });
}
