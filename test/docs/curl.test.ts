import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BlogServer, credentials, startBlogServer } from "../clients/blog-server.ts";
import { temporaryFolder } from "../support/server/server.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGES = [
  "README",
  ...["accounts", "blog", "exporting", "finding", "library", "tags"].map((name) => `docs/${name}`),
];
/** The addresses of a server in the pages. */
const ADDRESS =
  /(?:http:\/\/)?(?:localhost|127\.0\.0\.1):8000|https:\/\/(?:notes\.example|links\.example\.com)/g;

/** The calls of `curl` in a page, each with its continued lines. */
function callsIn(page: string): string[] {
  const blocks = [...readFileSync(join(ROOT, `${page}.md`), "utf8").matchAll(/^```sh\n(.*?)^```/gms)];
  return blocks.flatMap(([, block = ""]) => block.match(/^curl (?:[^\n]*\\\n)*[^\n]*/gm) ?? []);
}

const calls = PAGES.flatMap((page) => callsIn(page).map((call) => [page, call] as const));

/** A person copies these lines, and sends no header that they do not have. */
describe.skipIf(Bun.which("curl") === null)("A call of curl that the pages name", () => {
  using folder = temporaryFolder();
  let server: BlogServer;
  let token: string;
  beforeAll(async () => {
    server = await startBlogServer();
    const response = await fetch(`${server.url}/api/token/`, {
      method: "POST",
      body: JSON.stringify(credentials),
      headers: { "content-type": "application/json" },
    });
    ({ token } = (await response.json()) as { token: string });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("is found in each of them", () => {
    expect(PAGES.filter((page) => callsIn(page).length === 0)).toEqual([]);
  });

  test.each(calls)("succeeds: %s: %s", async (_, call) => {
    const command = call
      .replace(/^curl/, "curl -fsS")
      .replaceAll(ADDRESS, server.url)
      .replaceAll(/(?<=Authorization: Token )(?:cmpl_7_)?…/g, token)
      .replaceAll('"password":"…"', `"password":"${credentials.password}"`);
    const ran = Bun.spawn(["sh", "-c", command], {
      cwd: folder.path,
      env: { ...process.env, TOKEN: token },
      stderr: "pipe",
    });
    const [code, said] = [await ran.exited, await new Response(ran.stderr).text()];
    expect({ command, code, said }).toEqual({ command, code: 0, said: "" });
  });
});
