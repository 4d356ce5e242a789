import { AsyncLocalStorage } from "node:async_hooks";

/** A queue of requests that wait for a database. */
export interface Queue {
  readonly isOfWrites: boolean;
  /** The estimated wait of a new request, in milliseconds. */
  readonly wait: number;
}

/**
 * The admission of a request. It is checked again when the request joins a queue: until then its body had to arrive and
 * its caller to be looked up, and others may have joined. So of many requests that arrive together, no more join than
 * can be served in time. One that has written something is not refused any more.
 */
export class Admission {
  readonly #check: (queue: Queue) => void;
  #hasRead = false;
  #hasWritten = false;

  /** @param check throws if a request would wait too long in this queue */
  constructor(check: (queue: Queue) => void) {
    this.#check = check;
  }

  /** Called before each read and write. @throws what the check throws */
  join(queue: Queue): void {
    if (this.#hasWritten || (this.#hasRead && !queue.isOfWrites)) return;
    this.#check(queue);
    if (queue.isOfWrites) this.#hasWritten = true;
    else this.#hasRead = true;
  }
}

const current = new AsyncLocalStorage<Admission>();

/** The admission of the request that the caller works for; none for background work. */
export function currentAdmission(): Admission | undefined {
  return current.getStore();
}

/** Runs a request, with everything that it awaits. */
export function runAdmitted<T>(admission: Admission, request: () => T): T {
  return current.run(admission, request);
}

/** Runs work that a request starts, but that does not belong to it: it is never refused. */
export function runInBackground<T>(work: () => T): T {
  return current.exit(work);
}
