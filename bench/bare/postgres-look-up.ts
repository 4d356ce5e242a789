import { SQL } from "bun";

/**
 * The limit for fetching one bookmark from PostgreSQL: a bare server with the same statement, the same driver
 * and the runtime's HTTP server, and nothing else. Its argument is the URL of a database; it prints its
 * address.
 */
const [url = ""] = process.argv.slice(2);
const sql = new SQL({ url, adapter: "postgres", max: 10 });

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch({ url }) {
    const id = Number(url.slice(url.lastIndexOf("/") + 1));
    const [row] = await sql`
      select id, title, url, description, created_at, version from bookmarks where id = ${id}`;
    if (row === undefined) return new Response(null, { status: 404 });
    const { title, url: address, description, created_at } = row;
    return Response.json({ id: Number(row.id), title, url: address, description, created_at });
  },
});
console.log(`Listening on ${server.url.origin}`);
