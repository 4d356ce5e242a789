import { SQL } from "bun";

/**
 * The limit for creating bookmarks in PostgreSQL: a bare server with the same statements and the same driver,
 * one transaction per request, one counter per connection, and no validation. Its argument is the URL of a
 * database; it prints its address.
 */
const [url = ""] = process.argv.slice(2);
const CONNECTIONS = 8;
const sql = new SQL({ url, adapter: "postgres", max: CONNECTIONS });
const slots = Array.from({ length: CONNECTIONS }, (_, slot) => slot);
const waiting: ((slot: number) => void)[] = [];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { title, url, description } = (await request.json()) as Record<string, string>;
    const now = new Date();
    const slot = slots.pop() ?? (await new Promise<number>((resolve) => waiting.push(resolve)));
    const id = await sql.begin(async (transaction) => {
      const [row] = await transaction`
        insert into bookmarks (title, url, description, created_at, updated_at, created_by)
        values (${title}, ${url}, ${description}, ${now}, ${now}, ${null}) returning id`;
      await transaction`
        insert into counters (name, slot, n) values ('bookmarks:changes', ${slot}, 1)
        on conflict (name, slot) do update set n = counters.n + excluded.n`;
      return Number(row.id);
    });
    const next = waiting.shift();
    if (next === undefined) slots.push(slot);
    else next(slot);
    return Response.json({ id, title, url, description, created_at: now }, { status: 201 });
  },
});
console.log(`Listening on ${server.url.origin}`);
