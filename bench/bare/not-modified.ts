/** A bare server that only responds with 304. Its argument is the current entity tag; it prints its address. */
const [etag = ""] = process.argv.slice(2);

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ headers }) =>
    headers.get("if-none-match") === etag
      ? new Response(null, { status: 304, headers: { etag } })
      : new Response("changed", { status: 200 }),
});
console.log(`Listening on ${server.url.origin}`);
