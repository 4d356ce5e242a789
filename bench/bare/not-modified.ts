/**
 * The limit of answering that nothing has changed. Takes the entity tag that is current and says on standard
 * output where it listens.
 */
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
