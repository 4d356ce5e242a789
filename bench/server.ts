import type { Subprocess } from "bun";

/** A server in a separate process. */
export interface Server {
  /** Its origin. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Waits until a process logs its address. The rest of its output is read and discarded. */
export async function listening(child: Subprocess<"ignore", "pipe", "inherit">): Promise<Server> {
  const { promise: url, resolve: heard, reject } = Promise.withResolvers<string>();
  const reading = readAddress(child.stdout, heard);
  child.exited.then((code) => reject(new Error(`a server exited with ${code} before it listened`)));
  return {
    url: await url,
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      await reading;
    },
  };
}

/** Reports the address that a server logs, and reads its log to the end, like a log collector. */
async function readAddress(output: ReadableStream<Uint8Array>, heard: (url: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let start = "";
  for await (const chunk of output) {
    if (start.length > 4_096) continue;
    start += decoder.decode(chunk, { stream: true });
    const address = /Listening on (http:\/\/[^"\s]+)/.exec(start)?.[1];
    if (address !== undefined) heard(address);
  }
}
