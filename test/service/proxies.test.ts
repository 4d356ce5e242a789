import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:tls";
import { openBeside } from "../support/databases/database.ts";
import { recordsOf } from "../support/files/archive-file.ts";
import { makeAccount, makeToken } from "../support/records/accounts.ts";
import { isInstalled, proxyKinds, type RunningProxy } from "../support/requests/proxies.ts";
import { head } from "../support/requests/raw-http.ts";
import { isFullRun } from "../support/run/full-run.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server/server.ts";

const PUBLIC = {
  POSTS_ACCESS: "open",
  PUBLIC_URL: "https://links.example.com",
  TRUSTED_PROXIES: "127.0.0.1",
  BOOKMARKS_ACCESS: "open",
};
const JSON_BODY = { "content-type": "application/json" };

const [nginx] = proxyKinds;

for (const kind of proxyKinds.filter((kind) => isFullRun || kind === nginx))
  describe.skipIf(!isInstalled(kind))(`Behind ${kind.name}, configured as in docs/service`, () => {
    const folder = temporaryFolder();
    let server: RunningServer;
    let proxy: RunningProxy;
    let key = "";
    beforeAll(async () => {
      const url = `sqlite:${folder.file("proxied.db")}`;
      server = await startServer({ ...PUBLIC, DATABASE_URL: url, RATE_LIMIT: "5000/1d" });
      const database = await openBeside(url);
      key = await makeToken(database, await makeAccount(database, "editor"));
      await database.close();
      proxy = await kind.start(server.url);
    });
    afterAll(async () => {
      await proxy[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    });

    const send = (path: string, init: RequestInit = {}, through = proxy) =>
      fetch(through.url + path, { redirect: "manual", tls: { rejectUnauthorized: false }, ...init });
    const create = async (description = "") => {
      const body = JSON.stringify({ title: "Proxied", url: "https://example.com/", description });
      const response = await send("/bookmarks/", { method: "POST", headers: JSON_BODY, body });
      expect(response.status).toBe(201);
      return `/bookmarks/${((await response.json()) as { id: number }).id}`;
    };

    test("links lead to the public address", async () => {
      for (let count = 0; count < 21; count++) {
        const body = JSON.stringify({ title: "Proxied", content: "…", published: true });
        expect((await send("/api/posts/", { method: "POST", headers: JSON_BODY, body })).status).toBe(201);
      }
      const page = await send("/api/posts/", { headers: { "x-forwarded-host": "evil.example" } });
      expect(await page.json()).toMatchObject({ next: "https://links.example.com/api/posts/?page=2" });
    });

    test("browsers are told once to use https only", async () => {
      for (const path of ["/posts/none", "/bookmarks/", "/"])
        expect((await send(path)).headers.get("strict-transport-security")).toBe("max-age=31536000");
    });

    test("a list of three hundred bookmarks arrives completely, compressed or not", async () => {
      const description = "x".repeat(500);
      // A few at a time: a server that is kept busy may refuse some.
      for (let batch = 0; batch < 20; batch++)
        await Promise.all(Array.from({ length: 15 }, () => create(description)));
      for (const coding of ["identity", "gzip"]) {
        const list = await send("/bookmarks/", { headers: { "accept-encoding": coding } });
        expect(((await list.json()) as unknown[]).length).toBeGreaterThanOrEqual(300);
      }
    });

    test("entity tags stay strong, so that If-Match works with every encoding", async () => {
      const path = await create("long enough to be worth compressing ".repeat(100));
      const read = await send(path, { headers: { "accept-encoding": "gzip" } });
      await read.bytes();
      const etag = read.headers.get("etag") ?? "";
      expect(etag).toStartWith('"');
      const change = {
        method: "PATCH",
        headers: { ...JSON_BODY, "if-match": etag },
        body: '{"title":"Changed"}',
      };
      expect((await send(path, change)).status).toBe(200);
      expect((await send(path, change)).status).toBe(412);
    });

    test("a body that is too large gets the service's own error", async () => {
      const body = JSON.stringify({
        title: "Large",
        url: "https://example.com/",
        description: "x".repeat(1.2e6),
      });
      const response = await send("/bookmarks/", { method: "POST", headers: JSON_BODY, body });
      expect(response.status).toBe(413);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    });

    test("an upload that is refused halfway does not affect other requests", async () => {
      const { host, hostname, port } = new URL(proxy.url);
      const start = head({
        method: "POST",
        target: "/bookmarks/",
        fields: { ...JSON_BODY, host, "content-length": 2e6 },
      });
      for (let round = 0; round < 5; round++) {
        const upload = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
        upload.on("error", () => {});
        await once(upload, "secureConnect");
        upload.write(start + "x".repeat(50_000));
        // nginx waits for the whole body, HAProxy passes the response on.
        if (kind.name === "HAProxy") expect(String(await once(upload, "data"))).toStartWith("HTTP/1.1 413 ");
        else upload.write("x".repeat(1_000_000));
        expect((await send("/bookmarks/?limit=1")).status).toBe(200);
        upload.write("x".repeat(100_000));
        expect((await send("/bookmarks/?limit=1")).status).toBe(200);
        upload.destroy();
        expect((await send("/bookmarks/?limit=1")).status).toBe(200);
      }
    });

    test("a refused upload does not affect later requests on any connection", async () => {
      const body = JSON.stringify({
        title: "Large",
        url: "https://example.com/",
        description: "x".repeat(3e6),
      });
      for (let round = 0; round < 5; round++) {
        const upload = send("/bookmarks/", { method: "POST", headers: JSON_BODY, body });
        const notJson = send("/bookmarks/", { method: "POST", body: "x".repeat(100_000) });
        expect((await upload).status).toBe(413);
        expect((await notJson).status).toBe(415);
        const reads = Array.from({ length: 4 }, () => send("/bookmarks/?limit=1"));
        for (const read of reads) expect((await read).status).toBe(200);
      }
    });

    test("an image of several megabytes is accepted, and one that is too large gets the service's own error", async () => {
      // Not an image: that is found out after all of it was received.
      const headers = { "content-type": "image/png", authorization: `Bearer ${key}` };
      const image = { method: "POST", headers };
      expect((await send("/api/media/", { ...image, body: new Uint8Array(8e6) })).status).toBe(415);
      for (const size of [22e6, 45e6]) {
        const refused = await send("/api/media/", { ...image, body: new Uint8Array(size) });
        expect(refused.status).toBe(413);
        expect(refused.headers.get("content-type")).toBe("application/problem+json");
      }
    });

    test("a file of 30 MB reaches the import page", async () => {
      const form = new FormData();
      const padding = `<!--${"x".repeat(1e6)}-->`.repeat(30);
      const row = '<DT><A HREF="https://example.com/">Large</A>';
      form.append(
        "file",
        new File([`<!DOCTYPE NETSCAPE-Bookmark-file-1>${padding}${row}`], "bookmarks.html"),
      );
      const headers = { origin: "https://links.example.com", "sec-fetch-site": "same-origin" };
      const uploaded = await send("/library/import", { method: "POST", headers, body: form });
      expect(uploaded.status).toBe(303);
      expect(uploaded.headers.get("location")).toStartWith("/library/import/");
    });

    test("the archive of everything passes whole, with its length", async () => {
      const headers = {
        authorization: `Token ${key}`,
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://links.example.com",
      };
      const response = await send("/library/export/everything.zip", { method: "POST", headers, body: "" });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get("content-length")).toBe(String(bytes.length));
      expect(await recordsOf(bytes)).toHaveProperty("bookmark");
    });

    test("a client may send its body slowly, and one that reads late gets the whole response", async () => {
      const pieces = [
        '{"title":"Slow",',
        '"url":"https://example.com/",',
        `"description":"${"x".repeat(1_000)}"}`,
      ];
      const body = new ReadableStream({
        pull(controller) {
          const piece = pieces.shift();
          if (piece === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(piece));
        },
      });
      expect((await send("/bookmarks/", { method: "POST", headers: JSON_BODY, body })).status).toBe(201);
      const late = await send("/bookmarks/", { headers: { "accept-encoding": "identity" } });
      expect((await send("/bookmarks/?limit=1")).status).toBe(200);
      expect(await late.json()).toBeArray();
    });

    test("the client address given by the proxy is trusted, one given by the client is not", async () => {
      const first = await send("/bookmarks/", {
        method: "HEAD",
        headers: { "x-forwarded-for": "192.0.2.1" },
      });
      const second = await send("/bookmarks/", {
        method: "HEAD",
        headers: { "x-forwarded-for": "192.0.2.2" },
      });
      // Both are counted for the one address that they came from.
      expect(remaining(second)).toBe(remaining(first) - 1);
    });

    test("while the service is unavailable, the proxy answers with a problem document", async () => {
      const away = await startServer({ ...PUBLIC, DATABASE_URL: `sqlite:${folder.file("away.db")}` });
      await using other = await kind.start(away.url);
      await away.stop();
      const response = await send("/bookmarks/", {}, other);
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("1");
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.json()).toMatchObject({ status: 503, title: "Service Unavailable" });
    });

    function remaining({ headers }: Response): number {
      return Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    }
  });

/** What somebody adds to an example, or leaves out, so that the proxy compresses as well. */
const compressing: Record<string, (example: string) => string> = {
  nginx: (example) => example.replace("gzip off;", ""),
  Caddy: (example) => example.replace("reverse_proxy", "encode zstd gzip\n\treverse_proxy"),
};

for (const kind of proxyKinds.filter(({ name }) => name in compressing))
  test.skipIf(!isInstalled(kind))(
    `${kind.name} that compresses, too, leaves tags that If-Match takes, once`,
    async () => {
      using folder = temporaryFolder();
      const server = await startServer({ ...PUBLIC, DATABASE_URL: `sqlite:${folder.file("weak.db")}` });
      await using proxy = await kind.start(server.url, compressing[kind.name]);
      const send = (path: string, init: RequestInit) =>
        fetch(proxy.url + path, { tls: { rejectUnauthorized: false }, ...init });
      // Too short for the service to compress it by itself, long enough for the proxy.
      const description = "x ".repeat(300);
      const body = JSON.stringify({ title: "Weak", url: "https://example.com/", description });
      await send("/bookmarks/", { method: "POST", headers: JSON_BODY, body });
      const read = await send("/bookmarks/1", { headers: { "accept-encoding": "gzip" } });
      expect(await read.json()).toMatchObject({ title: "Weak" });
      const change = {
        method: "PATCH",
        headers: { ...JSON_BODY, "if-match": read.headers.get("etag") ?? "" },
        body: '{"title":"Changed"}',
      };
      expect((await send("/bookmarks/1", change)).status).toBe(200);
      expect((await send("/bookmarks/1", change)).status).toBe(412);
      await server.stop();
      // nginx does not care for `no-transform`, the others do.
      expect(change.headers["if-match"].startsWith("W/")).toBe(kind === nginx);
    },
  );
