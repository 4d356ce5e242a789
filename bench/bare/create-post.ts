import { DatabaseSync } from "node:sqlite";

/**
 * The limit for one client that creates posts: a bare server with the same statements in one durable
 * transaction per request, and no validation. Its argument is the path of a database; it prints its address.
 */
const [path = ""] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec("pragma synchronous = full; pragma wal_autocheckpoint = 4000");
const insert = database.prepare(
  `insert into posts (title, content, published, created_at, updated_at, published_at, created_by)
   values (?, ?, ?, ?, ?, ?, null) returning id`,
);
const count = database.prepare(
  `insert into counters (name, slot, n) values (?, 0, 1)
   on conflict (name, slot) do update set n = counters.n + excluded.n`,
);

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { title, content, published } = (await request.json()) as Record<string, string | boolean>;
    const now = Date.now();
    const created_at = new Date(now).toISOString();
    const day = created_at.slice(0, 10);
    database.exec("begin immediate");
    const row = insert.get(String(title), String(content), Number(published), now, now, now);
    for (const name of ["changes", `day:${day}`, `month:${day.slice(0, 7)}`, "total"])
      count.run(`posts:${name}`);
    database.exec("commit");
    return Response.json(
      { id: row?.id, title, content, published, created_at, comments: [] },
      { status: 201 },
    );
  },
});
console.log(`Listening on ${server.url.origin}`);
