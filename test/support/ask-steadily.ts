/**
 * A process of its own that asks a server at a steady rate, whether or not it keeps up: a request that finds all
 * connections waiting for an answer goes out on a new one. Prints a {@link Report} as JSON.
 *
 * Arguments: the server's URL, the number of requests per second, the duration in seconds, and one request as text.
 */
import { connect, type Socket } from "node:net";

export interface Report {
  readonly sent: number;
  /** For each status: the number of answers, and the median and 99th percentile of their times, in milliseconds. */
  readonly answers: Readonly<Record<string, { count: number; median: number; p99: number }>>;
  /** The number of requests served while another one waited (99th percentile): a wait that does not depend on the server's speed. */
  readonly overtaken: number;
  /** Requests that got no answer. */
  readonly unanswered: number;
  readonly connections: number;
  /** One of the answers with status 503, unparsed. */
  readonly refusal?: string;
}

interface Connection {
  readonly socket: Socket;
  sentAt: number;
  /** The number of requests served before its request was sent. */
  servedBefore: number;
  received: string;
}

if (import.meta.main) console.log(JSON.stringify(await ask(...(process.argv.slice(2) as Arguments))));

type Arguments = [url: string, rate: string, seconds: string, request: string];

async function ask(...[url, rate, seconds, request]: Arguments): Promise<Report> {
  const { hostname, port } = new URL(url);
  const idle: Connection[] = [];
  const open = new Set<Connection>();
  const took = new Map<string, number[]>();
  const overtaken: number[] = [];
  let refusal: string | undefined;
  let sent = 0;
  let answered = 0;
  let unanswered = 0;

  function openConnection(): Connection {
    const made = { socket: connect(Number(port), hostname), sentAt: 0, servedBefore: 0, received: "" };
    open.add(made);
    made.socket.setNoDelay(true);
    made.socket.on("data", (bytes) => receive(made, bytes.toString("latin1")));
    made.socket.on("error", () => {});
    made.socket.on("close", () => {
      open.delete(made);
      if (made.sentAt > 0) unanswered++;
    });
    return made;
  }

  function receive(from: Connection, text: string): void {
    from.received += text;
    const end = from.received.indexOf("\r\n\r\n");
    const length = Number(/^content-length: (\d+)/im.exec(from.received)?.[1] ?? 0);
    if (end === -1 || from.received.length < end + 4 + length) return;
    const status = from.received.slice(9, 12);
    if (status === "503") refusal = from.received;
    else overtaken.push(overtaken.length - from.servedBefore);
    const times = took.get(status) ?? [];
    times.push(performance.now() - from.sentAt);
    took.set(status, times);
    answered++;
    from.received = "";
    from.sentAt = 0;
    idle.push(from);
  }

  const started = performance.now();
  const total = Number(rate) * Number(seconds);
  while (sent < total) {
    const due = Math.min(total, ((performance.now() - started) / 1_000) * Number(rate));
    for (; sent < due; sent++) {
      const free = idle.pop() ?? openConnection();
      free.sentAt = performance.now();
      free.servedBefore = overtaken.length;
      free.socket.write(request);
    }
    await Bun.sleep(2);
  }
  const latest = performance.now() + 10_000;
  while (answered + unanswered < sent && performance.now() < latest) await Bun.sleep(2);
  const report = {
    sent,
    answers: summaryOf(took),
    overtaken: quantile(overtaken, 0.99),
    unanswered: sent - answered,
    connections: open.size,
  };
  for (const { socket } of open) socket.destroy();
  return refusal === undefined ? report : { ...report, refusal };
}

function summaryOf(took: ReadonlyMap<string, number[]>): Report["answers"] {
  return Object.fromEntries(
    [...took].map(([status, times]) => {
      const summary = { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
      return [status, { count: times.length, ...summary }];
    }),
  );
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
}
