import { timeLimit } from "../../time-limit.ts";
import type { FromRenderWorker, RenderOrder } from "./render-worker.ts";
import { type ImageSize, plainPost, type RenderedPost } from "./rendered-post.ts";

/**
 * The timeout for rendering a post, in milliseconds, without the start of the thread. Longer than a reader waits: what
 * was rendered is stored, and a busy machine takes its time for a long text.
 */
const DEADLINE = 10_000;
/** An idle thread ends after this many milliseconds, to free its memory. */
const IDLE = 60_000;

/** In the single executable, modules have paths relative to `src/`, and each is an entry point of the build. */
const WORKER = Bun.isStandaloneExecutable
  ? "./posts/rendering/render-worker.ts"
  : new URL("./render-worker.ts", import.meta.url).href;

interface Job extends RenderOrder {
  readonly resolve: (rendered: RenderedPost) => void;
}

/** A thread that has nothing to render: the next post gets it, whichever renderer it is of. */
let idle: { readonly worker: Worker; readonly end: Timer } | undefined;

/**
 * Renders posts in a thread of its own, one at a time, so that no hostile text can block the server. A post that
 * takes longer than the timeout is shown as source, and the thread is replaced.
 */
export class Renderer {
  readonly #onFailure: (error: Error) => void;
  readonly #timeout: number;
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #worker: Worker | undefined;
  #isReady = false;
  #timer: Timer | undefined;

  /** @param onFailure called when the thread could not start, or died */
  constructor(onFailure: (error: Error) => void, { timeout = timeLimit(DEADLINE) } = {}) {
    this.#onFailure = onFailure;
    this.#timeout = timeout;
  }

  render(text: string, sizes: ReadonlyMap<string, ImageSize>): Promise<RenderedPost> {
    return new Promise((resolve) => {
      this.#waiting.push({ text, sizes, resolve });
      this.#next();
    });
  }

  /** Ends the thread. The posts that are not rendered yet are shown as source. */
  close(): void {
    this.#discardWorker();
    this.#finish(undefined);
    for (const { text, resolve } of this.#waiting.splice(0)) resolve(plainPost(text));
  }

  #next(): void {
    if (this.#current !== undefined) return;
    if (this.#waiting.length === 0) this.#leaveWorker();
    else if (this.#worker === undefined) this.#takeWorker();
    else if (this.#isReady) this.#begin(this.#worker);
  }

  #begin(worker: Worker): void {
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#current = job;
    this.#timer = setTimeout(() => this.#giveUp(), this.#timeout);
    this.#timer.unref();
    worker.postMessage({ text: job.text, sizes: job.sizes } satisfies RenderOrder);
  }

  #takeWorker(): void {
    const worker = idle?.worker ?? new Worker(WORKER);
    this.#isReady = worker === idle?.worker;
    this.#worker = worker;
    clearTimeout(idle?.end);
    idle = undefined;
    worker.onmessage = ({ data }: MessageEvent<FromRenderWorker>) => {
      if (worker !== this.#worker) return;
      if (data === "ready") this.#isReady = true;
      else this.#finish(data.rendered);
      this.#next();
    };
    // For example, out of memory. The current post is shown as source.
    worker.onerror = ({ message }) => {
      if (worker !== this.#worker) return;
      this.#onFailure(new Error(message));
      this.#giveUp();
    };
    worker.unref();
    if (this.#isReady) this.#next();
  }

  #leaveWorker(): void {
    const worker = this.#worker;
    if (worker === undefined || !this.#isReady) return;
    this.#worker = undefined;
    this.#isReady = false;
    worker.onerror = () => forget(worker);
    if (idle !== undefined) worker.terminate();
    else idle = { worker, end: setTimeout(() => forget(worker), IDLE).unref() };
  }

  #finish(rendered: RenderedPost | undefined): void {
    clearTimeout(this.#timer);
    const job = this.#current;
    this.#current = undefined;
    job?.resolve(rendered ?? plainPost(job.text));
  }

  #giveUp(): void {
    this.#discardWorker();
    if (this.#current === undefined) this.#current = this.#waiting.shift();
    this.#finish(undefined);
    this.#next();
  }

  #discardWorker(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
  }
}

/** Ends a thread, if it has nothing to render. */
function forget(worker: Worker): void {
  if (idle?.worker !== worker) return;
  clearTimeout(idle.end);
  idle = undefined;
  worker.terminate();
}
