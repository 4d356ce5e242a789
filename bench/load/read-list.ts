import { connect } from "node:net";

/**
 * A client that reads one long response, in a separate process. Arguments: the URL and, for a slow client, the
 * number of bytes to read per second. It prints `reading` at the first byte of the body, and at the end its
 * results as JSON.
 */

/** The results of reading a long response. */
export interface ListReading {
  /** Milliseconds from the request to the first byte of the body. */
  readonly msToFirstByte: number;
  readonly seconds: number;
  /** The size of the whole response. */
  readonly bytes: number;
}

/** The end of an array in chunked coding (RFC 9112, section 7.1). A list that broke off lacks it. */
const END = "]\r\n0\r\n\r\n";

const [address = "", rate = "Infinity"] = process.argv.slice(2);
const { hostname, port, host, pathname } = new URL(address);
const socket = connect(Number(port), hostname);
const started = performance.now();
let msToFirstByte: number | undefined;
let head = "";
let tail = "";
let bytes = 0;

socket.on("connect", () =>
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
);
socket.on("data", (chunk: Buffer) => {
  bytes += chunk.length;
  if (msToFirstByte === undefined) noteFirstByte(chunk);
  tail = (tail + chunk.subarray(-END.length).toString("latin1")).slice(-END.length);
  const ahead = (bytes / Number(rate)) * 1000 - (performance.now() - started);
  if (ahead <= 0) return;
  socket.pause();
  setTimeout(() => socket.resume(), ahead);
});
socket.on("end", () => {
  if (!head.startsWith("HTTP/1.1 200") || tail !== END || msToFirstByte === undefined)
    throw new Error(`${address} was not answered whole: ${head.slice(0, 20)} … ${tail}`);
  const reading: ListReading = { msToFirstByte, seconds: (performance.now() - started) / 1000, bytes };
  console.log(JSON.stringify(reading));
  process.exit(0);
});

function noteFirstByte(chunk: Buffer): void {
  head += chunk.toString("latin1");
  const end = head.indexOf("\r\n\r\n");
  if (end < 0 || head.length === end + 4) return;
  msToFirstByte = performance.now() - started;
  console.log("reading");
}
