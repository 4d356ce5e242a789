import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { expectRefused } from "../support/machine/commands.ts";
import { until } from "../support/machine/until.ts";
import { isInstalled, proxyKinds } from "../support/requests/proxies.ts";
import { type RunningServer, run, startServer, temporaryFolder } from "../support/server/server.ts";

describe("serve with HOST=unix:PATH", () => {
  const folder = temporaryFolder();
  const socket = folder.file("http.sock");
  const settings = {
    HOST: `unix:${socket}`,
    DATABASE_URL: `sqlite:${folder.file("data.db")}`,
    PUBLIC_URL: "https://links.example.com",
  };
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(settings);
  });
  afterAll(async () => {
    await server.stop();
    folder[Symbol.dispose]();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://localhost${path}`, { unix: socket, headers, redirect: "manual" });

  test("lets its owner and its group connect, and nobody else", () => {
    expect((statSync(socket).mode & 0o777).toString(8)).toBe("660");
  });

  test("answers to the hosts of a server on loopback, and to no other one", async () => {
    expect((await get("/healthz")).status).toBe(200);
    expect((await get("/api/")).status).toBe(200);
    expect((await get("/api/", { host: "links.example.com" })).status).toBe(200);
    expect((await get("/api/", { host: "evil.example" })).status).toBe(421);
    expect((await get("/api/", { "x-forwarded-host": "evil.example" })).status).toBe(421);
  });

  test("keeps bookmarks private, although there is no account yet", async () => {
    expect((await get("/bookmarks/")).status).toBe(401);
    expect(server.lines.filter((line) => line.includes("bookmarks: accounts only"))).toHaveLength(1);
  });

  test("trusts whoever connects to report the client", async () => {
    const { headers } = await get("/library", {
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-proto": "https",
    });
    expect(headers.get("location")).toStartWith("/sign-in");
    const response = await fetch("http://localhost/api/session/", {
      unix: socket,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "203.0.113.7",
      },
      body: JSON.stringify({ username: "editor", password: await withAccount() }),
    });
    expect(response.headers.get("set-cookie")).toStartWith("__Host-");
    await until("the sign-in is logged with the address", async () =>
      server.lines.some((line) => line.includes("Signed in.") && line.includes("203.0.113.7")),
    );
  });

  test("refuses a second server on the same socket in one line, and leaves the first one alone", async () => {
    const env = { ...settings, DATABASE_URL: `sqlite:${folder.file("second.db")}`, LOG_LEVEL: "silent" };
    expectRefused(await run(["serve"], { env }), 1, /^commonplace: HOST: another server listens on /);
    expect((await get("/healthz")).status).toBe(200);
  });

  test("replaces the socket of a server that was killed, and removes its own at the stop", async () => {
    await server.kill();
    expect(existsSync(socket)).toBeTrue();
    server = await startServer(settings);
    expect((await get("/healthz")).status).toBe(200);
    await server.stop();
    expect(existsSync(socket)).toBeFalse();
    server = await startServer(settings);
  });

  test("never removes a file that is no socket", async () => {
    const path = folder.file("precious");
    writeFileSync(path, "words");
    const env = { ...settings, HOST: `unix:${path}`, LOG_LEVEL: "silent" };
    expectRefused(await run(["serve"], { env }), 1, /^commonplace: HOST: .* is not a socket\./);
    expect(await Bun.file(path).text()).toBe("words");
  });

  const [nginx] = proxyKinds;
  test.skipIf(nginx === undefined || !isInstalled(nginx))(
    "serves through nginx with the line of docs/service/nginx.conf",
    async () => {
      await using proxy = await nginx?.start("http://127.0.0.1:8000", (example) =>
        example.replace(/^ *server 127\.0\.0\.1:8000;\n/m, "").replace(/# (server unix:).*;/, `$1${socket};`),
      );
      const response = await fetch(`${proxy?.url}/bookmarks/`, { tls: { rejectUnauthorized: false } });
      expect(response.status).toBe(401);
    },
  );

  async function withAccount(): Promise<string> {
    const password = "correct horse battery";
    await run(["account", "add", "editor"], { env: settings, stdin: `${password}\n` });
    return password;
  }
});
