import { beforeAll, expect, test } from "bun:test";
import { makeAccount, makeSession, makeToken } from "../../support/records/accounts.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

const PAGE = `<!doctype html><title>A page</title><p>Two words<img src="data:image/png;base64,${"A".repeat(2_000)}">`;

describeApp("The door of SingleFile", (service) => {
  let app: TestApp;
  let token: string;
  let cookie: string;

  beforeAll(async () => {
    app = await service.startApp({ FETCH_PAGES: "off" });
    const account = await makeAccount(app.database, "ada");
    token = await makeToken(app.database, account, { scopes: ["bookmarks:read", "bookmarks:write"] });
    cookie = await makeSession(app.database, account);
  });

  /** Sends a page as the extension does. */
  function send(fields: Record<string, string | File>, headers: Record<string, string> = {}) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return app.request("/linkding/api/bookmarks/singlefile/", {
      method: "POST",
      headers: given({
        ...{
          authorization: `Bearer ${token}`,
          origin: "chrome-extension://mpiodijhokgodhhofbcjdecpffjipkle",
        },
        ...{ "sec-fetch-site": "none", cookie },
        ...headers,
      }),
      body,
    });
  }
  /** Without those that are empty. */
  const given = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
  const file = (text: string | Uint8Array<ArrayBuffer> = PAGE, type = "text/html") =>
    new File([text], "A page： with “quotes” (11.29.2026).html", { type });
  const copiesOf = async (url: string) => {
    const authorization = { authorization: `Token ${token}` };
    const found = await app.request(`/bookmarks/?${new URLSearchParams({ url })}`, {
      headers: authorization,
    });
    const list = (await found.json()) as { id: number; title: string; url: string }[];
    const bookmarks = list.filter((bookmark) => bookmark.url === url);
    const copies = await Promise.all(
      bookmarks.map(async ({ id }) => {
        const response = await app.request(`/bookmarks/${id}/copies/`, { headers: authorization });
        return ((await response.json()) as { id: number }[]).map((copy) => ({ ...copy, bookmark: id }));
      }),
    );
    return { bookmarks, copies: copies.flat() };
  };

  test.each(["Bearer", "Token"])(
    "keeps a page with the scheme %s, and creates its bookmark once",
    async (scheme) => {
      const url = `https://example.com/${scheme}`;
      for (const count of [1, 2]) {
        const response = await send({ url, file: file() }, { authorization: `${scheme} ${token}` });
        expect([response.status, await response.json()]).toEqual([
          201,
          { message: "Snapshot uploaded successfully." },
        ]);
        const { bookmarks, copies } = await copiesOf(url);
        expect(bookmarks).toMatchObject([{ title: "A page", url }]);
        expect(copies).toHaveLength(count);
        expect(copies[0]).toMatchObject({ origin: "browser", url, title: "A page", words: 2 });
      }
    },
  );

  test("keeps the bytes as they were sent, whatever they are", async () => {
    const url = "https://example.com/bytes";
    const bytes = Buffer.concat([
      Buffer.from("<p>\r\n--\r\n\r\n--x\xff\0\r\n", "latin1"),
      Buffer.from([0, 13, 10]),
    ]);
    expect((await send({ url, file: file(bytes) })).status).toBe(201);
    const [copy] = (await copiesOf(url)).copies;
    const original = await app.request(
      `/bookmarks/${copy?.bookmark}/copies/${copy?.id}/original?download=true`,
      {
        headers: { authorization: `Token ${token}` },
      },
    );
    expect(Buffer.from(await original.arrayBuffer())).toEqual(bytes);
  });

  test("refuses what is missing as linkding does, and creates nothing", async () => {
    const url = "https://example.com/missing";
    for (const fields of [{ url }, { file: file() }, { url, file: file("") }, { url, file: PAGE }] as const) {
      const response = await send(fields as Record<string, string | File>);
      expect(response.status).toBe(400);
    }
    expect(await (await send({ url })).json()).toEqual({
      error: "Both 'url' and 'file' parameters are required.",
    });
    expect(await (await send({ url: "ftp://a.example/", file: file() })).json()).toEqual({
      url: [expect.any(String)],
    });
    expect((await send({ url, file: file("a", "image/svg+xml") })).status).toBe(415);
    expect((await copiesOf(url)).bookmarks).toEqual([]);
  });

  test("is for tokens that may write; a session of another site's page is none", async () => {
    const fields = { url: "https://example.com/stranger", file: file() };
    const none = { authorization: "" };
    expect((await send(fields, { ...none, cookie: "" })).status).toBe(401);
    expect((await send(fields, { ...none, "sec-fetch-site": "cross-site" })).status).toBe(403);
    const account = await makeAccount(app.database, "bob");
    const reader = await makeToken(app.database, account, { scopes: ["bookmarks:read"] });
    expect((await send(fields, { authorization: `Bearer ${reader}` })).status).toBe(403);
  });
});
