import { readFileSync } from "node:fs";

/**
 * A bare server that sends the same bytes for every request. Its argument is the path of a file with these
 * bytes; it prints its address.
 */
const [file = ""] = process.argv.slice(2);
const bytes = readFileSync(file);
const headers = { "content-type": "application/json" };

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(bytes, { headers }) });
console.log(`Listening on ${server.url.origin}`);
