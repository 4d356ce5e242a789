import type { Subprocess } from "bun";

/** A server in a process of its own. */
export interface Server {
  /** Its origin. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A process that will say where it listens, as soon as it does. Its output is read and thrown away, to its end. */
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

/** Returns the address that a server logs, and reads its log to the end, as a log collector does. */
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
