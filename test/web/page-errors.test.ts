import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeAccount, makeSession } from "../support/records/accounts.ts";
import { startApp, type TestApp } from "../support/server/app.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const OWN = { ...FORM, "sec-fetch-site": "same-origin" };

let app: TestApp;
let cookie: string;

beforeAll(async () => {
  app = await startApp();
  cookie = await makeSession(app.database, await makeAccount(app.database, "ada"));
});
afterAll(() => app.close());

/** A response to a page that was refused. */
async function refusal(path: string, init: RequestInit) {
  const response = await app.request(path, init);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.get("referrer-policy")).toBe("same-origin");
  return { status: response.status, headers: response.headers, html: await response.text() };
}

test("a refusal of a page is HTML with the words and the headers of the problem", async () => {
  const wrongMethod = await refusal("/archive", { method: "POST", headers: OWN });
  expect(wrongMethod.status).toBe(405);
  expect(wrongMethod.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  const wrongHost = await refusal("/keys", { headers: { host: "evil.example" } });
  expect(wrongHost.status).toBe(421);
  expect(wrongHost.html).toContain("ALLOWED_HOSTS");
  const tooLong = await refusal("/keys", {
    method: "POST",
    headers: { ...OWN, cookie, "content-length": "2000000" },
    body: "name=x",
  });
  expect(tooLong.status).toBe(413);
  const json = { ...OWN, cookie, "content-type": "application/json" };
  expect((await refusal("/keys", { method: "POST", headers: json, body: "{}" })).status).toBe(415);
  const bytes = { method: "POST", headers: { ...OWN, cookie }, body: "name=%ff" };
  expect((await refusal("/keys", bytes)).status).toBe(400);
});

test.each(["PUT", "PATCH", "DELETE"])(
  "%s, which only programs send, gets a problem document from a page",
  async (method) => {
    // The path of /bookmarks/.. in any client.
    for (const path of ["/", "/keys"]) {
      const response = await app.request(path, { method, headers: OWN });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        405,
        "application/problem+json",
      ]);
    }
  },
);

test("somebody who is signed in is so on the page of a missing path, too", async () => {
  const { status, html } = await refusal("/no/such/page", { headers: { accept: "text/html", cookie } });
  expect(status).toBe(404);
  expect(html).toContain(">Account: </span>ada</a>");
  expect(html).toContain('href="/settings"');
});

test.each([
  ["/2019/05/old-bread.html", "old bread"],
  ["/blog/%E5%9C%B0%E5%9B%B3/", "地図"],
  ["/nothing/999999", ""],
])("a missing page, %s, offers a search for the words of its last part", async (path, words) => {
  const { status, html } = await refusal(path, { headers: { accept: "text/html", cookie } });
  expect(status).toBe(404);
  const [, offered = ""] = /name="q" aria-label="Search posts" value(?:="([^"]*)")?\/>/.exec(html) ?? [];
  expect(offered).toBe(words);
});

test("a missing page leads to the sign-in, for those who are not signed in", async () => {
  const link = '<a href="/sign-in">Sign in</a>';
  for (const path of ["/no/such/page", "/posts/nothing"]) {
    const anyone = await refusal(path, { headers: { accept: "text/html" } });
    expect(anyone.html).toContain(link);
    const owner = await refusal(path, { headers: { accept: "text/html", cookie } });
    expect(owner.html).not.toContain(link);
  }
});

test("without posts, a missing page offers no search of them", async () => {
  const bookmarks = await startApp({ SERVICES: "bookmarks" });
  const html = await (await bookmarks.request("/no/such/page", { headers: { accept: "text/html" } })).text();
  expect(html).toContain("<p>The page may have moved, or it never existed.</p>");
  await bookmarks.close();
});

test.each(["/library/import", "/write/import"])(
  "a file that is too large for %s is an error of the form, which says what to do",
  async (path) => {
    const headers = {
      ...OWN,
      "content-type": "multipart/form-data; boundary=x",
      "content-length": "60000000",
    };
    const { status, html } = await refusal(path, {
      method: "POST",
      headers: { ...headers, cookie },
      body: "x",
    });
    expect(status).toBe(413);
    expect(html).toContain("<title>Error: Import");
    expect(html).toContain('<a href="#file">The file is larger than 32 MB.</a>');
    expect(html).toMatch(/<p>Choose a smaller file, or run <code>[^<]*import<\/code> on the server\.<\/p>/);
    const closed = await startApp({ BOOKMARKS_ACCESS: "private" });
    const anonymous = await closed.request(path, { method: "POST", headers, body: "x" });
    expect([anonymous.status, (await anonymous.text()).includes("Import")]).toEqual([401, false]);
    await closed.close();
  },
);

test("an error page says in plain words what happened, and leads to the page again if it may be there later", async () => {
  const broken = await startApp();
  await broken.database.close();
  const html = await (
    await broken.request("/archive?year=2020", { headers: { accept: "text/html" } })
  ).text();
  expect(html).toContain("<h1>Something went wrong</h1>");
  expect(html).toContain('<a class="button" href="/archive?year=2020">Try again</a>');
  const large = { ...OWN, cookie, "content-length": "2000000" };
  const tooLarge = await refusal("/keys", { method: "POST", headers: large, body: "name=x" });
  expect(tooLarge.html).toContain("<h1>This is too large</h1><p>What you sent is larger than");
  expect(tooLarge.html).not.toContain(">Try again");
});

test.each([
  ["/library/import/none", "/library/import"],
  ["/write/import/blog.none", "/write/import"],
])("the page of an import that has expired, %s, leads to where a file is chosen", async (path, upload) => {
  const { status, html } = await refusal(path, { headers: { accept: "text/html", cookie } });
  expect(status).toBe(404);
  expect(html).toContain("<h1>This import has expired</h1>");
  expect(html).toContain(`<a class="button" href="${upload}">Choose a file</a>`);
});

test("who has forgotten the password reads what to do, and the administrator how", async () => {
  const html = await (await app.request("/sign-in")).text();
  expect(html).toContain("Forgot your password? The administrator of this server can give you a new one.");
  expect(html).toMatch(/<details><summary>For the administrator<\/summary>.*account password NAME/s);
});

test("a wrong page number leads to the first page", async () => {
  const { status, html } = await refusal("/links?a=1&page=x", { headers: { accept: "text/html" } });
  expect(status).toBe(422);
  expect(html).toContain("<h1>This list has no such page</h1>");
  expect(html).not.toContain(">422<");
  expect(html).toContain('<a class="button" href="/links?a=1">Go to the first page</a>');
});

test("a refused form is shown again with the typed values, and its title says that there is an error", async () => {
  const body = "name=&scopes=posts%3Aread&lifetime=90";
  const { status, html } = await refusal("/keys", { method: "POST", headers: { ...OWN, cookie }, body });
  expect(status).toBe(422);
  expect(html).toContain("<title>Error: Tokens");
  expect(html).toContain("<h2>The token was not created: one problem to fix</h2>");
  expect(html).toContain('<a href="#name">Name may not be empty.</a>');
  expect(html).toContain('aria-describedby="name-error name-hint"');
  expect(html).toMatch(/<input type="checkbox" name="scopes" value="posts:read" checked/);
  expect(html).toMatch(/<option value="90" selected/);
});

test("a form of somebody who was signed out meanwhile is there to be sent again, but for passwords", async () => {
  const body = "current_password=secret&new_password=secret2&note=%3Cb%3Eone%0D%0Atwo";
  const { status, html } = await refusal("/account/password", { method: "POST", headers: OWN, body });
  expect(status).toBe(401);
  expect(html).toContain('<input type="hidden" name="note" value="&lt;b>one\ntwo"/>');
  expect(html).not.toContain("secret");
});

test("so is a long text, up to what the editor takes", async () => {
  const content = "x".repeat(1_100_000);
  const { status, html } = await refusal(`/write/${crypto.randomUUID()}`, {
    method: "POST",
    headers: OWN,
    body: `title=Long&action=save&content=${content}`,
  });
  expect(status).toBe(401);
  expect(html).toContain(content);
});

test("an HTML error never reveals more than the problem document would: not even the site's name to a wrong host", async () => {
  const { html } = await refusal("/settings", { headers: { host: "evil.example", cookie } });
  expect(html).not.toContain("ada");
});

test("a page reports in HTML that the database is unavailable", async () => {
  const broken = await startApp();
  await broken.database.close();
  const response = await broken.request("/keys", { headers: { cookie } });
  expect(response.status).toBeGreaterThanOrEqual(500);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await response.text()).toContain("<h1>");
});

test("a refused form about what does not exist is a page, too, and no error in the log", async () => {
  const post = (path: string, body: string) =>
    refusal(path, { method: "POST", headers: { ...OWN, cookie }, body });
  expect((await post("/posts/nothing/comments", "text=")).status).toBe(422);
  expect((await post("/posts/nothing/comments", "text=Hello")).status).toBe(404);
  expect((await post("/library/999999/publish", "title=x&content=y")).status).toBe(404);
  expect((await post(`/welcome/${"y".repeat(22)}`, "username=")).status).toBe(422);
});
