import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Page } from "playwright-core";
import { CopyRoom } from "../../src/copies/copy-room.ts";
import { CopyKeeper } from "../../src/copies/keep-copy.ts";
import { connectingMarkup } from "../support/copies/connecting-markup.ts";
import { hostileMarkup } from "../support/copies/hostile-markup.ts";
import { encoded } from "../support/files/encoded.ts";
import { sharedBrowser } from "../support/pages/browser.ts";
import { oneOfEach } from "../support/run/full-run.ts";
import type { TestApp } from "../support/server/app.ts";
import { describeHttp } from "../support/server/contract.ts";

describeHttp("An original that is looked at", (service) => {
  let connections = 0;
  const connected = Promise.withResolvers<void>();
  /** Where hostile pages lead. */
  const nobody = createServer((socket) => {
    connections++;
    connected.resolve();
    socket.on("error", () => {});
    socket.end();
  });
  let host = "";
  let page: Page;
  let app: TestApp;
  /** What pages did: each is one line. */
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url, headers }): Promise<Response> => {
      const { pathname, search } = new URL(url);
      return app.request(`${pathname}${search}`, { headers });
    },
  });

  beforeAll(async () => {
    nobody.listen(0, "127.0.0.1");
    await once(nobody, "listening");
    host = `127.0.0.1:${(nobody.address() as AddressInfo).port}`;
    app = await service.startApp();
    const browser = await sharedBrowser();
    page = await browser.newPage();
    page.on("console", (message) => message.type() === "log" && seen.push("ran a script"));
    page.on("requestfinished", (request) => seen.push(request.url()));
    page.on("requestfailed", (request) => {
      // The reasons for which a browser has sent nothing.
      if (!["csp", "origin"].includes(request.failure()?.errorText ?? "")) seen.push(request.url());
    });
  });
  afterAll(async () => {
    await page.close();
    nobody.close();
    await server.stop(true);
  });

  /** @returns the path of its original */
  async function kept(bytes: Uint8Array, type: string): Promise<string> {
    const body = JSON.stringify({ title: "A", url: "https://example.com/", description: "" });
    const headers = { "content-type": "application/json" };
    const { id } = (await (await app.request("/bookmarks/", { method: "POST", body, headers })).json()) as {
      id: number;
    };
    const room = new CopyRoom(app.database, 1e9);
    const keeper = new CopyKeeper({ database: app.database, objects: undefined, room });
    const original = { origin: "browser", url: "https://example.com/", original: { bytes, type } } as const;
    const copy = await keeper.keep(id, original, undefined);
    return `/bookmarks/${id}/copies/${copy.id}/original`;
  }

  test("runs nothing, asks for nothing and connects to nowhere; the download is as it was", async () => {
    const connecting = connectingMarkup(host);
    const running = hostileMarkup.map((markup) =>
      markup.replaceAll("ran()", "console.log(1)").replaceAll(/https?:\/\/evil\.example/g, `http://${host}`),
    );
    const whole = (markup: string) => `<!doctype html><title>A</title><p>Words</p>${markup}`;
    const pages = [
      ...[...connecting, ...oneOfEach(running, firstElementOf)].map(
        (markup) => [markup, Buffer.from(whole(markup)), "text/html; charset=utf-8"] as const,
      ),
      // A filter of bytes would find nothing here.
      ...oneOfEach(connecting, firstElementOf).map(
        (markup) => [markup, encoded(whole(markup), "utf-16le"), "text/html; charset=utf-16le"] as const,
      ),
    ];
    const found: string[] = [];
    for (const [markup, bytes, type] of pages) {
      const path = await kept(bytes, type);
      const url = `${server.url.origin}${path}`;
      const download = await app.request(`${path}?download=true`);
      expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
      seen.length = 0;
      await page.goto(url);
      // What only a page that is laid out asks for.
      await page.evaluate("document.documentElement.offsetHeight");
      for (const line of seen)
        if (line !== url && !line.startsWith("data:")) found.push(`${markup}: ${line}`);
      expect(page.url()).toBe(url);
    }
    expect([found, connections]).toEqual([[], 0]);
  }, 600_000);

  test("would do so without its policy and its filter", async () => {
    const [frame = ""] = connectingMarkup(host);
    const asIs = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () =>
        new Response(`${frame}<script>console.log(1)</script>`, { headers: { "content-type": "text/html" } }),
    });
    seen.length = 0;
    await page.goto(asIs.url.href);
    await connected.promise;
    expect(seen).toContain("ran a script");
    await asIs.stop(true);
  });
});

/** The name of the first element of a markup. */
function firstElementOf(markup: string): string {
  return /<[a-z]+/i.exec(markup)?.[0].toLowerCase() ?? "";
}
