import { DatabaseSync } from "node:sqlite";

/**
 * A bare server that fetches one bookmark: only the runtime's HTTP server and SQLite. Its argument is the
 * path of a database; it prints its address.
 */
const [database = ""] = process.argv.slice(2);
const byId = new DatabaseSync(database, { readOnly: true }).prepare(
  "select id, title, url, description, created_at, version from bookmarks where id = ?",
);

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch({ url }) {
    const row = byId.get(Number(url.slice(url.lastIndexOf("/") + 1)));
    if (row === undefined) return new Response(null, { status: 404 });
    const { id, title, url: address, description, created_at } = row;
    const createdAt = new Date(Number(created_at)).toISOString();
    return Response.json({ id, title, url: address, description, created_at: createdAt });
  },
});
console.log(`Listening on ${server.url.origin}`);
