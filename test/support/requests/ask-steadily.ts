/**
 * A separate process that sends requests to a server at a steady rate, even if the server does not keep up.
 * If all connections are waiting for a response, it opens a new one. Prints a {@link Report} as JSON.
 *
 * Arguments: the server's URL, the number of requests per second, the duration in seconds, one request as
 * text, and the maximum number of requests that may wait at the same time. At the maximum, it pauses.
 */
import { connect, type Socket } from "node:net";

export interface Report {
  readonly sent: number;
  /** For each status: the number of responses, and the median and 99th percentile of their times, in milliseconds. */
  readonly answers: Readonly<Record<string, { count: number; median: number; p99: number }>>;
  /**
   * For each request that was not refused: how many of these were waiting when it was sent (95th percentile).
   * Unlike a time, this number does not depend on the machine's speed.
   */
  readonly waiting: number;
  /** The number of requests without a response. */
  readonly unanswered: number;
  readonly connections: number;
  /** One of the responses with status 503, as text. */
  readonly refusal?: string;
}

/** The period in which a request waited for its response. */
interface Wait {
  readonly from: number;
  readonly until: number;
}

interface Connection {
  readonly socket: Socket;
  sentAt: number;
  received: string;
}

if (import.meta.main) console.log(JSON.stringify(await ask(...(process.argv.slice(2) as Arguments))));

type Arguments = [url: string, rate: string, seconds: string, request: string, most: string];

async function ask(...[url, rate, seconds, request, most]: Arguments): Promise<Report> {
  const { hostname, port } = new URL(url);
  const idle: Connection[] = [];
  const open = new Set<Connection>();
  const took = new Map<string, number[]>();
  const waits: Wait[] = [];
  let refusal: string | undefined;
  let sent = 0;
  let answered = 0;
  let unanswered = 0;

  function openConnection(): Connection {
    const made = { socket: connect(Number(port), hostname), sentAt: 0, received: "" };
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
    const now = performance.now();
    if (status === "503") refusal = from.received;
    else waits.push({ from: from.sentAt, until: now });
    const times = took.get(status) ?? [];
    times.push(now - from.sentAt);
    took.set(status, times);
    answered++;
    from.received = "";
    from.sentAt = 0;
    idle.push(from);
  }

  const started = performance.now();
  const total = Number(rate) * Number(seconds);
  while (sent < total) {
    // Reads the responses that have arrived first, so that they do not count as waiting if this process was slow.
    await new Promise(setImmediate);
    const due = Math.min(total, ((performance.now() - started) / 1_000) * Number(rate));
    for (; sent < due && sent - answered < Number(most); sent++) {
      const free = idle.pop() ?? openConnection();
      free.sentAt = performance.now();
      free.socket.write(request);
    }
    await Bun.sleep(2);
  }
  const latest = performance.now() + 10_000;
  while (answered + unanswered < sent && performance.now() < latest) await Bun.sleep(2);
  const report = {
    sent,
    answers: summaryOf(took),
    waiting: quantile(queuesOf(waits), 0.95),
    unanswered: sent - answered,
    connections: open.size,
  };
  for (const { socket } of open) socket.destroy();
  return refusal === undefined ? report : { ...report, refusal };
}

/** For each request, the number of waiting requests when it was sent, including itself. */
function queuesOf(waits: readonly Wait[]): number[] {
  const ends = waits.map(({ until }) => until).toSorted((one, other) => one - other);
  let ended = 0;
  return waits
    .toSorted((one, other) => one.from - other.from)
    .map(({ from }, index) => {
      while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= from) ended++;
      return index + 1 - ended;
    });
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
