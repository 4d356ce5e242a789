import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { type RunningServer, run, startServer, temporaryFolder } from "../support/server.ts";

const JSON_LOG = { LOG_FORMAT: "json" };

describe("A setting that is wrong", () => {
  // Each setting's wrong values are judged beside it, in src/config.test.ts.
  test.concurrent("is reported in one line that names it, with exit code 2", async () => {
    const { code, stdout, stderr } = await run(["serve"], { env: { PORT: "65536" } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^commonplace: PORT: [^\n]+\n$/);
  });

  test.concurrent("is told the same when it is a flag", async () => {
    const { code, stderr } = await run(["serve", "--port", "http"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^commonplace: PORT: [^\n]+\n$/);
  });

  test.concurrent("is told before anything is created", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("new/test.db")}`, BODY_LIMIT: "x" };
    expect((await run(["serve"], { env })).code).toBe(2);
    expect(await Array.fromAsync(new Bun.Glob("**").scan({ cwd: folder.path, onlyFiles: false }))).toEqual(
      [],
    );
  });

  test.concurrent("as a flag that there is none of is told, with exit code 2", async () => {
    const { code, stderr } = await run(["serve", "--prot", "8000"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--prot");
  });

  test.concurrent("never shows a secret", async () => {
    const env = { DATABASE_URL: "mysql://user:secret@localhost/db" };
    const { stderr } = await run(["serve"], { env });
    expect(stderr).not.toContain("secret");
  });
});

describe("Listening beyond loopback", () => {
  test("without BOOKMARKS_ACCESS keeps the bookmarks for accounts", async () => {
    await using server = await start({ HOST: "0.0.0.0" });
    expect((await fetch(`${server.url.replace("0.0.0.0", "127.0.0.1")}/bookmarks/`)).status).toBe(401);
  });

  test("with BOOKMARKS_ACCESS set is what was asked for", async () => {
    await using server = await start({ HOST: "0.0.0.0", BOOKMARKS_ACCESS: "open" });
    expect((await fetch(`${server.url.replace("0.0.0.0", "127.0.0.1")}/bookmarks/`)).status).toBe(200);
  });
});

describe("The world that is wrong", () => {
  test("when the port is taken is told in one line, with exit code 1", async () => {
    using folder = temporaryFolder();
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port));
    });
    const env = { PORT: String(port), DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    const { code, stdout, stderr } = await run(["serve"], { env });
    taken.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^commonplace: [^\n]+\n$/);
    expect(stderr).toContain(String(port));
  });

  test("when the database cannot be made is told in one line, with exit code 1", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("a-file"), "");
    const env = { PORT: "0", DATABASE_URL: `sqlite:${folder.file("a-file/test.db")}` };
    const { code, stdout, stderr } = await run(["serve"], { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^commonplace: [^\n]+\n$/);
    expect(stderr).toContain("a-file/test.db");
  });
});

describe("Settings", () => {
  test("have a port of 0 pick a free one, for as many servers as start", async () => {
    await using one = await start({ PORT: "0" });
    await using other = await start({ PORT: "0" });
    expect(Number(new URL(one.url).port)).toBePositive();
    expect(other.url).not.toBe(one.url);
  });

  test("as flags beat the environment", async () => {
    using folder = temporaryFolder();
    const env = { ...JSON_LOG, DATABASE_URL: `sqlite:${folder.file("env.db")}`, BODY_LIMIT: "wrong" };
    const flags = [`--database-url=sqlite:${folder.file("flag.db")}`, "--body-limit", "64"];
    await using server = await start(env, flags);
    expect(databaseOf(server)).toBe(folder.file("flag.db"));
    expect(await tryBody(server, 65)).toBe(413);
  });

  test("that are empty count as not set", async () => {
    await using server = await start({ BODY_LIMIT: "", PUBLIC_URL: "", LOG_LEVEL: "", CORS_ORIGINS: "" });
    expect(await tryBody(server, 65)).toBe(422);
  });

  test("that are secret can stand in a file", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("url"), `sqlite:${folder.file("named-in-a-file.db")}\n`);
    await using server = await start({
      ...JSON_LOG,
      DATABASE_URL: "",
      DATABASE_URL_FILE: folder.file("url"),
    });
    expect(databaseOf(server)).toBe(folder.file("named-in-a-file.db"));
  });

  test("whose file cannot be read are told in one line that names it, with exit code 2", async () => {
    const env = { DATABASE_URL_FILE: "/nowhere/url" };
    const { code, stderr } = await run(["serve"], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^commonplace: DATABASE_URL_FILE: [^\n]+\n$/);
  });

  test("leave the database in ./data when none is named", async () => {
    using folder = temporaryFolder();
    const { stderr } = await run(["serve"], {
      cwd: folder.path,
      env: { HOST: "192.0.2.1", BOOKMARKS_ACCESS: "open" },
    });
    expect(stderr).toContain("192.0.2.1");
    expect(await Bun.file(folder.file("data/commonplace.db")).exists()).toBeTrue();
  });
});

describe("Starting", () => {
  test("prints the address, the documentation page, the database, and what is open to whom", async () => {
    using folder = temporaryFolder();
    await using server = await start({ ...JSON_LOG, DATABASE_URL: `sqlite:${folder.file("test.db")}` });
    await server.stop();
    const lines = server.lines.join("\n");
    expect(lines).toContain(server.url);
    expect(lines).toContain(`${server.url}/docs`);
    expect(lines).toContain(folder.file("test.db"));
    expect(lines).toMatch(/bookmarks.*anyone.*read and write/);
  });

  test("with LOG_FORMAT=text says the same for people", async () => {
    await using server = await start({ LOG_FORMAT: "text" });
    expect(server.lines.join("\n")).toContain(`Listening on ${server.url}`);
    for (const line of server.lines) expect(line).not.toStartWith("{");
  });
});

/** A server on a database of its own unless the settings name one; killed at the end of the scope. */
async function start(
  settings: Record<string, string>,
  flags: string[] = [],
): Promise<RunningServer & AsyncDisposable> {
  const folder = temporaryFolder();
  const server = await startServer(
    { DATABASE_URL: `sqlite:${folder.file("test.db")}`, ...settings },
    { flags },
  );
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server.kill();
      folder[Symbol.dispose]();
    },
  };
}

/** The database that a server said it uses. */
function databaseOf({ lines }: RunningServer): unknown {
  const line = lines.find((line) => line.includes("Listening on")) ?? "";
  return (JSON.parse(line) as Record<string, unknown>).database;
}

/** The status of a POST with a body of this many bytes, which is no bookmark. */
async function tryBody({ url }: RunningServer, size: number): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/bookmarks/`, { method: "POST", headers, body: "{}".padEnd(size) });
  return response.status;
}
