import { describe, expect, test } from "bun:test";
import { createWelcomeLink } from "../../../src/accounts/welcome/welcome-link.ts";
import { readSite } from "../../../src/web/site/site-store.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount } from "../../support/records/accounts.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp, describeContract } from "../../support/server/contract.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

const OWN = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" };
const ANSWERS = {
  username: "ada",
  password: "correct horse battery",
  site_name: "Slow fruit",
  time_zone: "Europe/Berlin",
  bookmarks_access: "private",
};

describeContract("The welcome link", (service) => {
  const linkOf = async ({ database }: TestApp, now = new Date()) =>
    `/welcome/${(await createWelcomeLink(database, now))?.secret}`;
  const post = (app: TestApp, path: string, answers: Readonly<Record<string, string>> = ANSWERS) =>
    app.request(path, { method: "POST", headers: OWN, body: new URLSearchParams(answers).toString() });

  test("is what the sign-in page asks for while there is no account: no form that cannot work", async () => {
    const app = await service.startApp();
    const before = await (await app.request("/sign-in")).text();
    expect(before).toMatch(/<code>[^<]* welcome<\/code>/);
    expect(before).not.toContain("<form");
    await makeAccount(app.database, "ada");
    expect(await (await app.request("/sign-in")).text()).toContain('name="password"');
  });

  test("shows its page repeatedly, and creates the first account once", async () => {
    const app = await service.startApp({ BOOKMARKS_ACCESS: "auto" });
    const path = await linkOf(app);
    for (let visit = 0; visit < 3; visit++) {
      const shown = await app.request(path);
      expect(shown.status).toBe(200);
      expect(shown.headers.get("cache-control")).toBe("private, no-store");
    }
    const made = await post(app, path);
    expect(made.status).toBe(303);
    const cookie = made.headers
      .getSetCookie()
      .map((text) => text.split(";")[0])
      .join("; ");
    expect(await (await app.request("/api/session/", { headers: { cookie } })).json()).toMatchObject({
      username: "ada",
    });
    expect((await app.request("/bookmarks/")).status).toBe(401);
    expect(await (await app.request("/account", { headers: { cookie } })).text()).toContain("Slow fruit");
    for (const used of [await app.request(path), await post(app, path, { ...ANSWERS, username: "eve" })]) {
      expect(used.status).toBe(404);
      expect(await used.text()).toContain("This link was used or has expired");
    }
  });

  test("writes dates in the order of the browser's language", async () => {
    const app = await service.startApp();
    const headers = { ...OWN, "accept-language": "de-DE,de;q=0.9,en;q=0.8" };
    const body = new URLSearchParams(ANSWERS).toString();
    const made = await app.request(await linkOf(app), { method: "POST", headers, body });
    expect(made.status).toBe(303);
    expect((await readSite(app.database.read)).dateStyle).toBe("dmy");
  });

  test("asks whether copies of pages are kept, where the server can fetch them", async () => {
    const app = await service.startApp();
    const path = await linkOf(app);
    expect(await (await app.request(path)).text()).toContain("Keep a copy of pages that you save?");
    expect((await post(app, path, { ...ANSWERS, keep_copies: "added" })).status).toBe(303);
    expect((await readSite(app.database.read)).keepCopies).toBe("added");
    const off = await service.startApp({ FETCH_PAGES: "off" });
    expect(await (await off.request(await linkOf(off))).text()).not.toContain("Keep a copy");
  });

  test("creates one account, even if many use it at once", async () => {
    const app = await service.startApp();
    const path = await linkOf(app);
    const responses = await Promise.all(
      ["ada", "bo", "cy"].map((username) => post(app, path, { ...ANSWERS, username })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 404, 404]);
    expect(await app.database.read`select id from accounts`).toHaveLength(1);
  });

  test("is not used up by invalid forms, and shows their errors", async () => {
    const app = await service.startApp();
    const path = await linkOf(app);
    const wrong = { username: "not a name", password: "short", time_zone: "Nowhere/At_All" };
    const refused = await post(app, path, { ...ANSWERS, ...wrong });
    expect(refused.status).toBe(422);
    const html = await refused.text();
    for (const name of Object.keys(wrong)) expect(html).toContain(`id="${name}-error"`);
    expect(html).toContain('value="not a name"');
    expect(html).not.toContain(`value="${wrong.password}"`);
    expect((await post(app, path)).status).toBe(303);
  });

  test("works for an hour, until there is a newer one or an account", async () => {
    const app = await service.startApp();
    expect((await app.request(await linkOf(app, new Date(Date.now() - 3_600_001)))).status).toBe(404);
    const first = await linkOf(app);
    const second = await linkOf(app);
    expect((await app.request(first)).status).toBe(404);
    expect((await app.request(second)).status).toBe(200);
    await makeAccount(app.database, "made-elsewhere");
    expect((await app.request(second)).status).toBe(404);
    expect(await createWelcomeLink(app.database, new Date())).toBeUndefined();
  });

  test("is delayed for a client that tries many accounts", async () => {
    const app = await service.startApp({}, new StoppedClock());
    const statuses = [];
    for (let attempt = 0; attempt < 7; attempt++)
      statuses.push((await app.request(`/welcome/${"x".repeat(32)}`)).status);
    expect(statuses.slice(0, 5)).toEqual([404, 404, 404, 404, 404]);
    expect(statuses.at(-1)).toBe(429);
    expect((await app.request(await linkOf(app))).status).toBe(200);
  });

  test("is stored as a hash, and is in no log", async () => {
    const { databaseUrl } = service;
    const server = await service.startAnother({ DATABASE_URL: databaseUrl });
    const env = { DATABASE_URL: databaseUrl, PUBLIC_URL: "https://links.example.com" };
    const { code, stdout } = await run(["welcome"], { env });
    expect(code).toBe(0);
    const [, secret = ""] = /^https:\/\/links\.example\.com\/welcome\/([\w-]{32})$/m.exec(stdout) ?? [];
    expect(secret).not.toBe("");
    expect(stdout).not.toContain("another address");
    expect((await fetch(`${server.url}/welcome/${secret}`)).status).toBe(200);
    expect((await fetch(`${server.url}/welcome/${secret}/`)).status).toBe(200);
    for (const path of [`/welcome/${secret}/x`, `/welcome//${secret}`, `/preview/${secret}/favicon.ico`])
      expect((await fetch(server.url + path)).status).toBe(404);
    await server.stop();
    const log = server.lines.join("\n");
    expect(log).toContain("/welcome/{secret}");
    expect(log).not.toContain(secret);
  });
});

describeContract("A welcome link printed beside a server with settings of its own", (service) => {
  test("says where to open it instead", async () => {
    const { databaseUrl } = service;
    const server = await service.startAnother({ DATABASE_URL: databaseUrl });
    const { stdout } = await run(["welcome"], { env: { DATABASE_URL: databaseUrl } });
    const [, path = ""] =
      /^If your server has another address, open (\/welcome\/[\w-]{32}) there\.$/m.exec(stdout) ?? [];
    expect(path).not.toBe("");
    expect((await fetch(server.url + path)).status).toBe(200);
  });
});

describeContract("The command that a server names as it starts", (service) => {
  test("prints a link to it", async () => {
    const { databaseUrl } = service;
    const server = await service.startAnother({ DATABASE_URL: databaseUrl });
    await server.stop();
    const [line = "", words = ""] =
      /run “[^”]*commonplace'? (welcome [^”]*)”/.exec(server.lines.join("\n")) ?? [];
    // What it needs stands in it: the database came from the environment of the server, which a container shares.
    const inContainer = line.includes("docker exec");
    expect([words, words.includes("welcome --database-url ")]).toEqual([words, !inContainer]);
    const { password } = new URL(databaseUrl);
    const env = inContainer ? { DATABASE_URL: databaseUrl } : {};
    // As a shell reads it: an address with a schema is quoted.
    const given = words
      .replace("PASSWORD", password)
      .split(" ")
      .map((word) => word.replace(/^'(.*)'$/, "$1"));
    const { stdout } = await run(given, { env });
    expect(stdout).toContain(`${server.url}/welcome/`);
  });
});

describeApp("The first page", (service) => {
  const pageOf = async (app: TestApp, headers: Record<string, string> = {}) =>
    (await app.request("/", { headers })).text();

  test("shows the first steps on this machine, and through a proxy only that the server is not set up", async () => {
    const app = await service.startApp();
    expect(await pageOf(app)).toContain("commonplace welcome");
    expect(await pageOf(app)).toContain("look around");
    const elsewhere = await pageOf(app, { "x-forwarded-for": "203.0.113.7" });
    expect(elsewhere).toContain("not set up yet");
    expect(elsewhere).not.toContain("look around");
    await makeAccount(app.database, "ada");
    expect(await pageOf(app)).not.toContain("commonplace welcome");
  });

  test("redirects to the library without posts, and to the documentation without pages", async () => {
    const library = await service.startApp({ SERVICES: "bookmarks" });
    await makeAccount(library.database, "ada");
    expect((await library.request("/")).headers.get("location")).toBe("/library");
    const bare = await service.startApp({ WEB: "off" });
    expect((await bare.request("/")).headers.get("location")).toBe("/docs");
  });

  describe("WEB=off", () => {
    test("has no page, and JSON for every error, whatever the client accepts", async () => {
      const app = await service.startApp({ WEB: "off" });
      for (const path of ["/sign-in", "/keys", "/settings", "/library", "/welcome/x", "/no/such/page"]) {
        const response = await app.request(path, { headers: { accept: "text/html" } });
        expect([path, response.status]).toEqual([path, 404]);
        expect(response.headers.get("content-type")).toBe("application/problem+json");
      }
    });
  });

  test("has HTML for an unknown path, when the client accepts it", async () => {
    const app = await service.startApp();
    const typeFor = async (accept: string) =>
      (await app.request("/no/such/page", { headers: { accept } })).headers.get("content-type");
    expect(await typeFor("text/html,application/xhtml+xml,*/*;q=0.8")).toBe("text/html; charset=utf-8");
    for (const accept of ["*/*", "application/json", "text/html;q=0"])
      expect(await typeFor(accept)).toBe("application/problem+json");
    expect((await app.request("/api/nothing/", { headers: { accept: "*/*" } })).status).toBe(404);
  });

  test("sends a reader of a page for accounts to sign in, and back", async () => {
    const app = await service.startApp();
    await makeAccount(app.database, "ada", ANSWERS.password);
    const sent = await app.request("/keys?x=1");
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toBe("/sign-in?next=%2Fkeys%3Fx%3D1");
    const signedIn = await signIn(app, { username: "ada", password: ANSWERS.password, next: "/keys?x=1" });
    expect(signedIn.headers.get("location")).toBe("/keys?x=1");
    const away = await signIn(app, { username: "ada", password: ANSWERS.password, next: "//evil.example/" });
    expect(away.headers.get("location")).toBe("/today");
  });

  const signIn = (app: TestApp, form: Readonly<Record<string, string>>) =>
    app.request("/sign-in", { method: "POST", headers: OWN, body: new URLSearchParams(form).toString() });
});

test("serve --lan listens on all addresses, restricts the bookmarks to accounts, and prints its addresses", async () => {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${folder.file("lan.db")}` };
  const server = await startServer(settings, { flags: ["--lan"] });
  const { port } = new URL(server.url);
  expect(server.url).toBe(`http://0.0.0.0:${port}`);
  expect((await fetch(`http://127.0.0.1:${port}/bookmarks/`)).status).toBe(401);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain("commonplace welcome");
  await server.stop();
  expect(server.lines.join("\n")).toMatch(
    /On your network, this server is at:|no network address that other devices/,
  );
});
