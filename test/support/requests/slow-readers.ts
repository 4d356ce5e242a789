/**
 * A separate process with clients that send a request and read nothing of the response. Prints their number
 * once all requests are sent, and ends when its input ends.
 *
 * Arguments: the server's URL, the number of clients, the requested path, and the accepted content coding.
 */
import type { Socket } from "bun";

/**
 * The number of simultaneous connection attempts: those that the server has not accepted wait in the kernel's
 * queue.
 */
const AT_ONCE = 250;

const [url = "", count = "", path = "/", coding = "identity"] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${coding}\r\n\r\n`;
const readers: Socket[] = [];

while (readers.length < Number(count)) {
  const missing = Math.min(AT_ONCE, Number(count) - readers.length);
  readers.push(...(await Promise.all(Array.from({ length: missing }, ask))));
}
console.log(readers.length);
for await (const _ of process.stdin);
process.exit(0);

function ask(): Promise<Socket> {
  return Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        // The kernel keeps the window small for a client that has never read.
        socket.pause();
        socket.write(request);
      },
      data() {},
    },
  });
}
