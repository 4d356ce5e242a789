import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { PASSWORD } from "../support/requests/sign-in.ts";
import { engines } from "../support/server/engines.ts";
import { childrenOf } from "../support/server/processes.ts";
import { temporaryFolder } from "../support/server/server.ts";

const ROOT = resolve(import.meta.dir, "../..");

describe("The one-file executable, in an empty folder with an empty environment", () => {
  const built = temporaryFolder();
  const empty = temporaryFolder();
  const executable = built.file("commonplace");

  beforeAll(() => {
    const [, ...words] = manifest.scripts.build
      .split(" ")
      .map((word) => (word === "dist/commonplace" ? executable : word));
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: ROOT });
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr.toString() }).toEqual({
      exitCode: 0,
      stderr: "",
    });
  });
  afterAll(() => {
    built[Symbol.dispose]();
    empty[Symbol.dispose]();
  });

  test("serves, creates, and has the documentation page whole inside it", async () => {
    await using server = await serve([]);
    const created = await fetch(`${server.url}/bookmarks/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "Inside", url: "https://example.com/" }),
    });
    expect(created.status).toBe(201);
    // Searches run in a thread of their own, which is inside it too.
    const found = await fetch(`${server.url}/bookmarks/?q=insid*`);
    expect(await found.json()).toMatchObject([{ title: "Inside" }]);
    // Found and rendered by a module that only the thread loads.
    const page = await fetch(`${server.url}/bookmarks/?q=inside&limit=5`);
    expect(await page.json()).toMatchObject([{ title: "Inside" }]);
    const start = await (await fetch(`${server.url}/sign-in`)).text();
    const own = [...start.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, path]) => path);
    expect(own).toContain("/apple-touch-icon.png");
    const docs = await (await fetch(`${server.url}/docs`)).text();
    const files = [...docs.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThan(3);
    for (const path of [...files, ...own, "/icon-512.png", "/favicon.ico"]) {
      const file = await fetch(server.url + path);
      expect({ path, status: file.status }).toEqual({ path: path as string, status: 200 });
      expect((await file.bytes()).length).toBeGreaterThan(100);
    }
    expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  test("prints its version, and serves the OpenAPI document", () => {
    expect(run(["--version"]).stdout).toBe(`${manifest.version}\n`);
    expect(JSON.parse(run(["openapi"]).stdout).openapi).toBe("3.1.0");
  });

  test("makes an account and imports a file", async () => {
    expect(run(["account", "add", "editor"], `${PASSWORD}\n`).stdout).toContain("Account editor created in");
    await Bun.write(
      empty.file("bookmarks.html"),
      '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF="https://example.org/">Brought</A></DL>',
    );
    expect(JSON.parse(run(["import", "--json", "bookmarks.html"]).stdout)).toMatchObject({ added: 1 });
  });

  test("answers an agent, whose protocol is loaded on demand", async () => {
    await Bun.write(empty.file("token"), run(["token", "create", "editor"]).stdout);
    chmodSync(empty.file("token"), 0o600);
    await using server = await serve([]);
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { stdout } = run(["mcp", "--token-file", "token", "--url", server.url], message);
    expect(JSON.parse(stdout).result.tools).toHaveLength(12);
  });

  test("extracts the text of a page, as its server calls it", async () => {
    await Bun.write(empty.file("page"), "<title>Inside</title><p>Words</p>");
    await Bun.write(empty.file("request.json"), JSON.stringify({ url: "https://example.org/" }));
    expect(run(["extract-page", empty.path]).code).toBe(0);
    expect(await Bun.file(empty.file("result.json")).json()).toMatchObject({
      page: { title: "Inside", html: "<p>Words</p>" },
    });
  });

  test("renders posts, in the thread that it has inside it", async () => {
    await using server = await serve(["--posts-access", "open"]);
    const created = await fetch(`${server.url}/api/posts/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "In one file", content: "*Inside*", published: true }),
    });
    expect(created.status).toBe(201);
    expect(await (await fetch(`${server.url}/posts/in-one-file`)).text()).toContain("<p><em>Inside</em></p>");
  });

  test("reports a wrong call in one line", () => {
    const { code, stderr } = run(["serve", "--port", "none"]);
    expect(stderr).toMatch(/^commonplace: PORT: [^\n]+\n$/);
    expect(code).toBe(2);
  });

  test("starts itself as its workers", async () => {
    const postgres = engines.find(({ name }) => name.startsWith("PostgreSQL"));
    await using place = await postgres?.createEmptyDatabase();
    await using server = await serve(["--workers", "2", "--database-url", place?.url ?? ""]);
    expect(childrenOf(server.pid)).toHaveLength(2);
    expect((await fetch(`${server.url}/bookmarks/`)).status).toBe(200);
  });

  function run(words: readonly string[], stdin = "") {
    const { exitCode, stdout, stderr } = Bun.spawnSync([executable, ...words], {
      cwd: empty.path,
      env: {},
      stdin: Buffer.from(stdin),
    });
    return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  }

  async function serve(flags: readonly string[]) {
    const child = Bun.spawn([executable, "serve", "--port", "0", ...flags], {
      cwd: empty.path,
      env: {},
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const stop = async () => {
      child.kill("SIGTERM");
      await child.exited;
    };
    return { url: await addressIn(child.stdout), pid: child.pid, [Symbol.asyncDispose]: stop };
  }
});

/** The address that a server says it listens on. @throws when it ends without having said so */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let said = "";
  const reader = output.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    said += decoder.decode(value, { stream: true });
    const address = /Listening on (http:\/\/[^"\s]+)/.exec(said)?.[1];
    if (address !== undefined) return address;
    if (done) throw new Error(`It does not listen: ${said}`);
  }
}
