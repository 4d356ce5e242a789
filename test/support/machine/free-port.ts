import { createServer } from "node:net";

/** Below the ports that systems give to connections by themselves: one of those could be taken by any connection. */
const FIRST = 15_000;
const LAST = 31_999;
/** Each process begins somewhere else, since others look for ports at the same time. */
const BLOCK = 100;

let next = FIRST + ((process.pid * BLOCK) % (LAST - FIRST));

/** Free ports of loopback, one after the other. @returns the first of them */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    if (next + count > LAST) next = FIRST;
    const first = next;
    next += count;
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once("error", () => resolve(false));
  server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  return promise;
}
