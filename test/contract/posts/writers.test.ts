import { afterAll, beforeAll, expect, test } from "bun:test";
import { withToken } from "../../support/records/accounts.ts";
import { createPost, describeBlog, etagOf, pathOf, read } from "../../support/records/blog.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { rounds } from "../../support/run/full-run.ts";
import { startServer } from "../../support/server/server.ts";

const WRITERS = 100;
const ROUNDS = rounds(2, 5);

describeBlog("Writers of one post, at two servers", (blog) => {
  const toEnd = new AsyncDisposableStack();
  let servers: Send[] = [];

  beforeAll(async () => {
    const started = await Promise.all([1, 2].map(() => startServer({ DATABASE_URL: blog.databaseUrl })));
    for (const server of started) toEnd.defer(server.kill);
    servers = started.map(({ url }) => withToken(sendTo(url), blog.key));
  });

  afterAll(() => toEnd.disposeAsync());

  /** Every other writer goes to the other server. */
  const serverOf = (writer: number) => servers[writer % servers.length] ?? blog.editor;

  test("succeed exactly once in each round of 100 that start from the same version with If-Match", async () => {
    const path = pathOf(await createPost(blog.editor));
    const winners: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const headers = { "if-match": await etagOf(serverOf(round), path) };
      const answers = await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          const title = `round ${round}, writer ${writer}`;
          const { status } = await serverOf(writer)(path, { method: "PATCH", headers, json: { title } });
          return { status, title };
        }),
      );
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(WRITERS - 1);
      for (const server of servers) expect((await read(server, path)).title).toBe(winner?.title ?? "");
      winners.push(winner?.title ?? "");
    }
    expect(new Set(winners).size).toBe(ROUNDS);
  });

  test("lose nothing when each adds its own line, and retries with the new version after a 412", async () => {
    const path = pathOf(await createPost(blog.editor, { content: "" }));
    const lines = Array.from({ length: 20 }, (_, writer) => `writer ${writer}`);
    await Promise.all(
      lines.map(async (line, writer) => {
        const send = serverOf(writer);
        while (true) {
          const response = await send(path);
          const { content } = (await response.json()) as { content: string };
          const headers = { "if-match": response.headers.get("etag") ?? "" };
          const json = { content: `${content}${line}\n` };
          const { status } = await send(path, { method: "PATCH", headers, json });
          if (status === 200) return;
          expect(status).toBe(412);
        }
      }),
    );
    const { content } = await read(blog.anyone, path);
    expect(content.trimEnd().split("\n").toSorted()).toEqual(lines.toSorted());
  });
});
