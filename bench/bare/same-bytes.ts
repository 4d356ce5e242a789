import { readFileSync } from "node:fs";

/**
 * The limit of any answer: the runtime's HTTP server sending the same bytes to whoever asks for anything.
 * Takes the path of a file with the bytes and says on standard output where it listens.
 */
const [file = ""] = process.argv.slice(2);
const bytes = readFileSync(file);
const headers = { "content-type": "application/json" };

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(bytes, { headers }) });
console.log(`Listening on ${server.url.origin}`);
