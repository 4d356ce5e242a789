/**
 * A separate process that opens connections to a server and holds them, up to the given number or the
 * server's limit. Prints the number once they are open, and ends when its input ends.
 *
 * Arguments: the server's URL, the number of connections, and the text to send on each.
 */
import { connect, type Socket } from "node:net";

/**
 * The number of simultaneous connection attempts: those that the server has not accepted wait in the kernel's
 * queue.
 */
const AT_ONCE = 250;

const [url = "", count = "", text = ""] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const held: Socket[] = [];
let failed = false;

while (held.length < Number(count) && !failed)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, Number(count) - held.length) }, open));
console.log(held.length);
for await (const _ of process.stdin);
process.exit(0);

function open(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  socket.on("connect", () => {
    held.push(socket);
    if (text !== "") socket.write(text);
    resolve();
  });
  socket.on("error", () => {
    failed = true;
    resolve();
  });
  return promise;
}
