import { describe, expect, test } from "bun:test";
import { removeAccount, resetPassword, setDisabled } from "../../../src/accounts/account-store.ts";
import type { Database, Instant } from "../../../src/database/database.ts";
import { describeSite, sendOver, watched } from "../../support/pages/site.ts";
import { makeToken } from "../../support/records/accounts.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import {
  CHALLENGES,
  cookieOf,
  quickHash,
  SESSION,
  signIn,
  signInForCookie,
  WRONG,
  whoIs,
} from "../../support/requests/sign-in.ts";

const POSTS = "/api/posts/";
const post = { title: "First light", content: "Hello." };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Whether a write goes through: Sec-Fetch-Site in the rows, Origin in the columns, `-` where it is absent. */
const VERDICTS = `
               -    http://localhost  http://localhost:3000  https://evil.example  null  https://app.example.com
  -            yes  yes               no                     no                    no    yes
  same-origin  yes  yes               yes                    yes                   yes   yes
  none         yes  yes               yes                    yes                   yes   yes
  same-site    no   no                no                     no                    no    yes
  cross-site   no   no                no                     no                    no    yes
  nonsense     no   no                no                     no                    no    yes`;

describeSite("Sessions", (site) => {
  describe("POST /api/session/", () => {
    test("answers 200 with the account, and not to be stored", async () => {
      const editor = await site.createAccount();
      const response = await signIn(site.send, SESSION, { username: editor.username.toUpperCase() });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toMatch(/(?:^|, )no-store(?:$|,)/);
      const account = (await response.json()) as object;
      expect(Object.keys(account)).toEqual(["id", "username", "created_at"]);
      expect(account).toEqual({
        id: editor.id,
        username: editor.username,
        created_at: editor.createdAt.toISOString(),
      });
    });

    test("sets a cookie that scripts cannot read and other sites' forms do not send", async () => {
      const editor = await site.createAccount();
      const { name, value, attributes } = parseSetCookie(await signIn(site.send, SESSION, editor));
      expect(name).toBe("commonplace_session");
      expect(value).toMatch(/^[\w-]{43}$/);
      expect(attributes).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
    });

    const OVER_TLS = {
      "behind a trusted proxy that says https": {
        settings: { TRUSTED_PROXIES: "127.0.0.1" },
        headers: { "x-forwarded-proto": "https" },
      },
      "with a PUBLIC_URL of https": { settings: { PUBLIC_URL: "https://blog.example.com" }, headers: {} },
    };

    for (const [where, { settings, headers }] of Object.entries(OVER_TLS))
      test(`sets a Secure cookie named __Host-… ${where}, and recognizes it`, async () => {
        const editor = await site.createAccount();
        const send = site.sendWith(settings);
        const response = await signIn(send, SESSION, { ...editor, headers });
        const { name, value, attributes } = parseSetCookie(response);
        expect(name).toBe("__Host-commonplace_session");
        expect(attributes).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"]);
        expect(await whoIs(send, { ...headers, cookie: cookieOf(response) })).toBe(editor.username);
        // Under the plain name a page of a neighbouring host could have put it there.
        expect(await whoIs(send, { ...headers, cookie: `commonplace_session=${value}` })).toBeUndefined();
      });

    test("ignores X-Forwarded-Proto from a client that is not a trusted proxy", async () => {
      const editor = await site.createAccount();
      const send = site.sendWith({ TRUSTED_PROXIES: "10.0.0.1" });
      const response = await signIn(send, SESSION, { ...editor, headers: { "x-forwarded-proto": "https" } });
      expect(cookieOf(response)).toStartWith("commonplace_session=");
    });

    test("refuses a wrong password and sets no cookie", async () => {
      const editor = await site.createAccount();
      const response = await signIn(site.send, SESSION, { ...editor, password: WRONG });
      expect(response.headers.get("www-authenticate")).toBe(CHALLENGES);
      expect(response.headers.has("set-cookie")).toBe(false);
      await expectProblem(response, 401);
    });

    test("refuses a body that is not two strings", async () => {
      await expectErrors(await site.send(SESSION, { method: "POST", json: { username: "anybody" } }), {
        pointer: "/password",
        code: "missing",
      });
    });

    test("creates a new session each time, and each of them works", async () => {
      const editor = await site.createAccount();
      const cookies = [await signInForCookie(site.send, editor), await signInForCookie(site.send, editor)];
      expect(new Set(cookies).size).toBe(2);
      for (const cookie of cookies) expect(await whoIs(site.send, { cookie })).toBe(editor.username);
    });

    test("is never replayed for an Idempotency-Key", async () => {
      const editor = await site.createAccount();
      const headers = { "idempotency-key": "once" };
      const first = await signIn(site.send, SESSION, { ...editor, headers });
      const second = await signIn(site.send, SESSION, { ...editor, headers });
      expect(second.headers.has("idempotency-replayed")).toBe(false);
      expect(cookieOf(second)).not.toBe(cookieOf(first));
    });

    test("does not reuse a value that someone else put into the browser (session fixation)", async () => {
      const editor = await site.createAccount();
      const planted = { cookie: `commonplace_session=${"A".repeat(43)}` };
      const cookie = await signInForCookie(site.send, { ...editor, headers: planted });
      expect(cookie).not.toBe(planted.cookie);
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
      expect(await whoIs(site.send, planted)).toBeUndefined();
    });

    test("ends the previous session, even of another account: its cookie is invalid afterwards", async () => {
      const editor = await site.createAccount();
      const attacker = await site.createAccount();
      const planted = { cookie: await signInForCookie(site.send, attacker) };
      expect(await whoIs(site.send, planted)).toBe(attacker.username);
      const cookie = await signInForCookie(site.send, { ...editor, headers: planted });
      expect(cookie).not.toBe(planted.cookie);
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
      expect(await whoIs(site.send, planted)).toBeUndefined();
    });

    test("keeps the previous session when the password is wrong", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      await signIn(site.send, SESSION, { ...editor, password: WRONG, headers: { cookie } });
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
    });

    test("creates no session if the password was changed during the check", async () => {
      const editor = await site.createAccount();
      const changing = watched(site.database, async (text) => {
        if (!/from accounts\s+where username_key/.test(text)) return;
        await site.database.write((sql) =>
          resetPassword(sql, editor.id, quickHash("another password"), new Date()),
        );
      });
      const response = await signIn(sendOver(changing), SESSION, editor);
      expect(response.headers.has("set-cookie")).toBe(false);
      await expectProblem(response, 401);
      const rows = await site.database.read`select account_id from sessions where account_id = ${editor.id}`;
      expect(rows).toEqual([]);
    });
  });

  describe("GET /api/session/", () => {
    test("returns the signed-in account, by cookie or token", async () => {
      const editor = await site.createAccount();
      const account = {
        id: editor.id,
        username: editor.username,
        created_at: editor.createdAt.toISOString(),
      };
      const cookie = await signInForCookie(site.send, editor);
      const authorization = `Token ${await makeToken(site.database, editor, { scopes: ["posts:read"] })}`;
      for (const headers of [{ cookie }, { authorization }]) {
        const response = await site.send(SESSION, { headers });
        expect(response.status).toBe(200);
        expect(response.headers.get("cache-control")).toMatch(/(?:^|, )no-store(?:$|,)/);
        expect(await response.json()).toEqual(account);
        expect((await site.send(SESSION, { method: "HEAD", headers })).status).toBe(200);
      }
    });

    test("has a strong ETag, each account its own, and responses 304 to who has it", async () => {
      const [editor, other] = [await site.createAccount(), await site.createAccount()];
      const cookie = await signInForCookie(site.send, editor);
      const etagFor = async (cookie: string) =>
        (await site.send(SESSION, { headers: { cookie } })).headers.get("etag") ?? "";
      const etag = await etagFor(cookie);
      expect(etag).toMatch(/^"[^"]+"$/);
      expect(await etagFor(cookie)).toBe(etag);
      expect(await etagFor(await signInForCookie(site.send, other))).not.toBe(etag);
      const again = await site.send(SESSION, { headers: { cookie, "if-none-match": etag } });
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
    });

    test("is 401 when no one is signed in, and explains how to sign in", async () => {
      const response = await site.send(SESSION);
      expect(response.headers.get("www-authenticate")).toBe(CHALLENGES);
      const { detail } = await expectProblem(response, 401);
      expect(detail).toContain("POST /api/token/");
      expect(detail).toContain("commonplace account add");
    });

    test("finds the session among the other cookies of the host", async () => {
      const editor = await site.createAccount();
      const session = await signInForCookie(site.send, editor);
      const cookie = `theme=dark; xcommonplace_session=no;  ${session};commonplace_session2=no; a=b=c`;
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
    });

    test("treats two session cookies as anonymous: one of them was planted", async () => {
      const attacker = await signInForCookie(site.send, await site.createAccount());
      const own = await signInForCookie(site.send, await site.createAccount());
      for (const cookie of [
        `${attacker}; ${own}`,
        `${own}; ${attacker}`,
        `${own};${own}`,
        `commonplace_session=; ${own}`,
      ])
        expect(await whoIs(site.send, { cookie })).toBeUndefined();
    });
  });

  describe("DELETE /api/session/", () => {
    test("answers 204, ends the session on the server and takes the cookie away", async () => {
      const editor = await site.createAccount();
      const other = await signInForCookie(site.send, editor);
      const cookie = await signInForCookie(site.send, editor);
      const response = await site.send(SESSION, { method: "DELETE", headers: { cookie } });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      const { name, value, attributes } = parseSetCookie(response);
      expect({ name, value }).toEqual({ name: "commonplace_session", value: "" });
      expect(attributes).toEqual(["HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax"]);
      expect(await whoIs(site.send, { cookie })).toBeUndefined();
      expect(await whoIs(site.send, { cookie: other })).toBe(editor.username);
    });

    test("deletes the cookie of TLS by its own name", async () => {
      const send = site.sendWith({ PUBLIC_URL: "https://blog.example.com" });
      const { name, attributes } = parseSetCookie(await send(SESSION, { method: "DELETE" }));
      expect(name).toBe("__Host-commonplace_session");
      expect(attributes).toEqual(["HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax", "Secure"]);
    });

    test("checks preconditions, and ends nothing when they fail", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      const end = (headers: Record<string, string>) =>
        site.send(SESSION, { method: "DELETE", headers: { cookie, ...headers } });
      const etag = (await site.send(SESSION, { headers: { cookie } })).headers.get("etag") ?? "";
      for (const headers of [
        { "if-match": '"another"' },
        { "if-none-match": "*" },
        { "if-none-match": etag },
      ])
        await expectProblem(await end(headers), 412);
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
      expect((await end({ "if-match": etag })).status).toBe(204);
      // Now there is nothing that any tag is of.
      for (const tag of [etag, "*"]) await expectProblem(await end({ "if-match": tag }), 412);
      expect((await end({ "if-none-match": "*" })).status).toBe(204);
    });

    test("answers 204 even when no one is signed in", async () => {
      for (const headers of [{}, { cookie: "commonplace_session=stale" }])
        expect((await site.send(SESSION, { method: "DELETE", headers })).status).toBe(204);
    });
  });

  describe("A session", () => {
    test("that has expired is anonymous: reading works, writing is a 401", async () => {
      for (const value of ["", "stale", "A".repeat(43), `"${"A".repeat(43)}"`]) {
        const headers = { cookie: `commonplace_session=${value}` };
        expect((await site.send(POSTS, { headers })).status).toBe(200);
        const refused = await site.send(POSTS, { method: "POST", headers, json: post });
        expect(refused.headers.get("www-authenticate")).toBe(CHALLENGES);
        await expectProblem(refused, 401);
      }
    });

    test("may do everything", async () => {
      const editor = await site.createAccount();
      const send = site.sendWith({ BOOKMARKS_ACCESS: "private" });
      const headers = { cookie: await signInForCookie(send, editor) };
      const link = { title: "Example", url: "https://example.com/" };
      expect((await send("/bookmarks/", { method: "POST", headers, json: link })).status).toBe(201);
      expect((await send(POSTS, { method: "POST", headers, json: post })).status).toBe(201);
      expect((await send("/api/drafts/", { headers })).status).toBe(200);
      expect((await send("/api/comments/", { headers })).status).toBe(200);
    });

    test("ends after seven days without a request, and a request in time keeps it", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      const eye = watched(site.database);
      await lastSeen(site.database, 7 * DAY - MINUTE);
      expect(await whoIs(sendOver(eye), { cookie })).toBe(editor.username);
      await Promise.all(eye.writes);
      await passes(site.database, 7 * DAY - MINUTE);
      expect(await whoIs(sendOver(eye), { cookie })).toBe(editor.username);
      await Promise.all(eye.writes);
      await passes(site.database, 7 * DAY);
      expect(await whoIs(site.send, { cookie })).toBeUndefined();
    });

    test("ends 30 days after signing in, however busy", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      await passes(site.database, 30 * DAY - MINUTE);
      await lastSeen(site.database, 0);
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
      await passes(site.database, MINUTE);
      await lastSeen(site.database, 0);
      expect(await whoIs(site.send, { cookie })).toBeUndefined();
    });

    test("ends when SESSION_IDLE and SESSION_MAX say so", async () => {
      const settings = { SESSION_IDLE: "10m", SESSION_MAX: "1h" };
      const editor = await site.createAccount();
      const eye = watched(site.database);
      const send = sendOver(eye, settings);
      const response = await signIn(send, SESSION, editor);
      const cookie = cookieOf(response);
      expect(parseSetCookie(response).attributes).toContain("Max-Age=3600");
      await lastSeen(site.database, 9 * MINUTE);
      expect(await whoIs(send, { cookie })).toBe(editor.username);
      await Promise.all(eye.writes);
      await lastSeen(site.database, 10 * MINUTE);
      expect(await whoIs(send, { cookie })).toBeUndefined();
      const second = await signInForCookie(send, editor);
      await passes(site.database, HOUR);
      await lastSeen(site.database, 0);
      expect(await whoIs(send, { cookie: second })).toBeUndefined();
    });

    test("stays expired when the clock is set back", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      const eye = watched(site.database);
      await passes(site.database, 30 * DAY);
      expect(await whoIs(sendOver(eye), { cookie })).toBeUndefined();
      await Promise.all(eye.writes);
      await passes(site.database, -30 * DAY);
      expect(await whoIs(site.send, { cookie })).toBeUndefined();
    });

    test("has its last use recorded at most once a minute, for any number of requests", async () => {
      const editor = await site.createAccount();
      const headers = { cookie: await signInForCookie(site.send, editor) };
      const eye = watched(site.database);
      const send = sendOver(eye);
      await send(POSTS, { headers });
      expect(eye.writes).toHaveLength(0);
      await lastSeen(site.database, MINUTE);
      await Promise.all(Array.from({ length: 20 }, () => send(POSTS, { headers })));
      expect(eye.writes).toHaveLength(1);
    });

    const ENDINGS: Record<string, (database: Database, id: number) => Promise<void>> = {
      "password changes": (database, id) =>
        database.write((sql) => resetPassword(sql, id, "another", new Date())),
      "account is disabled": (database, id) =>
        database.write((sql) => setDisabled(sql, id, true, new Date())),
      "account is removed": async (database, id) => {
        await database.write((sql) => removeAccount(sql, id, new Date()));
      },
    };

    for (const [event, happen] of Object.entries(ENDINGS))
      test(`ends everywhere when the ${event}; other accounts' sessions continue`, async () => {
        const editor = await site.createAccount();
        const other = await site.createAccount();
        const cookies = [await signInForCookie(site.send, editor), await signInForCookie(site.send, editor)];
        const others = await signInForCookie(site.send, other);
        await happen(site.database, editor.id);
        for (const cookie of cookies) expect(await whoIs(site.send, { cookie })).toBeUndefined();
        expect(await whoIs(site.send, { cookie: others })).toBe(other.username);
      });

    test("does not come back when a disabled account is enabled again", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      await site.database.write((sql) => setDisabled(sql, editor.id, true, new Date()));
      expect((await signIn(site.send, SESSION, editor)).status).toBe(401);
      await site.database.write((sql) => setDisabled(sql, editor.id, false, new Date()));
      expect(await whoIs(site.send, { cookie })).toBeUndefined();
      expect((await signIn(site.send, SESSION, editor)).status).toBe(200);
    });
  });

  describe("Writing by cookie", () => {
    const [origins = [], ...rows] = VERDICTS.trim()
      .split("\n")
      .map((line) => line.trim().split(/ +/));

    // Signing out comes last: what is refused after it is refused without a session.
    const WRITES = [
      { method: "POST", path: POSTS, json: {}, through: 422 },
      { method: "POST", path: SESSION, json: {}, through: 422 },
      { method: "DELETE", path: SESSION, through: 204 },
    ];

    for (const [fetchSite = "", ...verdicts] of rows)
      test(`with Sec-Fetch-Site ${fetchSite} is allowed or refused for each Origin as in the table`, async () => {
        const editor = await site.createAccount();
        const send = site.sendWith({ CORS_ORIGINS: "https://app.example.com" });
        const cookie = await signInForCookie(send, editor);
        for (const { method, path, json, through } of WRITES)
          for (const [index, origin] of origins.entries()) {
            const headers = { cookie, ...given("sec-fetch-site", fetchSite), ...given("origin", origin) };
            const { status } = await send(path, { method, headers, json });
            expect(status, `${method} ${path}, Origin ${origin}`).toBe(
              verdicts[index] === "yes" ? through : 403,
            );
          }
      });

    test("is refused with 403 in every method, before the body is read, and changes nothing", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      const made = await site.send(POSTS, {
        method: "POST",
        headers: { cookie },
        json: { ...post, published: true },
      });
      const path = new URL(made.headers.get("location") ?? "", "http://localhost").pathname;
      const before = await (await site.send(path)).text();
      const headers = { cookie, "sec-fetch-site": "cross-site", "content-type": "text/plain" };
      for (const [method, target] of [
        ["POST", POSTS],
        ["PUT", path],
        ["PATCH", path],
        ["DELETE", path],
        ["POST", `${path}comments/`],
        ["POST", "/api/drafts/"],
        ["POST", SESSION],
        ["DELETE", SESSION],
      ] as const) {
        const response = await site.send(target, {
          method,
          headers,
          ...(method !== "DELETE" && { body: "no JSON" }),
        });
        expect(response.headers.has("set-cookie")).toBe(false);
        await expectProblem(response, 403);
      }
      expect(await (await site.send(path)).text()).toBe(before);
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
    });

    test("is 401, not 403, when the cookie is invalid", async () => {
      const headers = { cookie: "commonplace_session=stale", "sec-fetch-site": "cross-site" };
      await expectProblem(await site.send(POSTS, { method: "POST", headers, json: post }), 401);
    });

    test("is compared with the Host header, port and all", async () => {
      const editor = await site.createAccount();
      const headers = { cookie: await signInForCookie(site.send, editor), host: "localhost:8000" };
      const write = async (origin: string) =>
        (await site.send(POSTS, { method: "POST", headers: { ...headers, origin }, json: {} })).status;
      expect(await write("http://localhost:8000")).toBe(422);
      expect(await write("http://localhost")).toBe(403);
      expect(await write("http://localhost:8001")).toBe(403);
      expect(await write("http://localhost:8000.evil.example")).toBe(403);
      expect(await write("http://localhost@evil.example:8000")).toBe(403);
      expect(await write("localhost:8000")).toBe(403);
    });

    test("is allowed from a page of PUBLIC_URL, whatever host the proxy sends", async () => {
      const settings = { PUBLIC_URL: "https://blog.example.com" };
      const editor = await site.createAccount();
      const send = site.sendWith(settings);
      const headers = { cookie: await signInForCookie(send, editor), host: "127.0.0.1:8000" };
      for (const [origin, status] of [
        ["https://blog.example.com", 422],
        ["https://evil.example.com", 403],
      ] as const)
        expect(
          (await send(POSTS, { method: "POST", headers: { ...headers, origin }, json: {} })).status,
        ).toBe(status);
    });

    test("is not allowed from other origins by CORS_ORIGINS=*", async () => {
      const editor = await site.createAccount();
      const send = site.sendWith({ CORS_ORIGINS: "*" });
      const cookie = await signInForCookie(send, editor);
      for (const origin of ["https://evil.example", "null"]) {
        const headers = { cookie, origin, "sec-fetch-site": "cross-site" };
        const response = await send(POSTS, { method: "POST", headers, json: post });
        expect(response.headers.has("access-control-allow-credentials")).toBe(false);
        await expectProblem(response, 403);
      }
    });

    test("does not apply to tokens, which no browser sends by itself", async () => {
      const editor = await site.createAccount();
      const headers = {
        authorization: `Token ${await makeToken(site.database, editor)}`,
        origin: "https://evil.example",
        "sec-fetch-site": "cross-site",
      };
      expect((await site.send(POSTS, { method: "POST", headers, json: post })).status).toBe(201);
    });

    test("does not apply to reads: a link from another site finds its reader signed in", async () => {
      const editor = await site.createAccount();
      const headers = { cookie: await signInForCookie(site.send, editor), "sec-fetch-site": "cross-site" };
      expect((await site.send("/api/drafts/", { headers })).status).toBe(200);
    });

    test("works for a front end on a configured origin, from preflight to signing out", async () => {
      const origin = "https://app.example.com";
      const editor = await site.createAccount();
      const send = site.sendWith({ CORS_ORIGINS: origin });
      const page = { origin, "sec-fetch-site": "same-site" };
      const asked = {
        ...page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      };
      const preflight = await send(SESSION, { method: "OPTIONS", headers: asked });
      expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("content-type");
      const signedIn = await signIn(send, SESSION, { ...editor, headers: page });
      const headers = { ...page, cookie: cookieOf(signedIn) };
      const created = await send(POSTS, { method: "POST", headers, json: post });
      const signedOut = await send(SESSION, { method: "DELETE", headers });
      expect([preflight, signedIn, created, signedOut].map(({ status }) => status)).toEqual([
        204, 200, 201, 204,
      ]);
      for (const response of [preflight, signedIn, created, signedOut]) {
        expect(response.headers.get("access-control-allow-origin")).toBe(origin);
        expect(response.headers.get("access-control-allow-credentials")).toBe("true");
        expect(response.headers.get("vary")).toContain("Origin");
      }
    });
  });
});

function given(name: string, value: string): Record<string, string> {
  return value === "-" ? {} : { [name]: value };
}

/** A cookie as it is set: its attributes in the order of the alphabet. */
function parseSetCookie(response: Response): { name: string; value: string; attributes: string[] } {
  const [pair = "", ...attributes] = response.headers.getSetCookie()[0]?.split("; ") ?? [];
  const [name = "", value = ""] = pair.split("=");
  return { name, value, attributes: attributes.toSorted() };
}

/** Moves the last request of every session back, `ago` milliseconds from now. */
async function lastSeen(database: Database, ago: number): Promise<void> {
  await database.write((sql) => sql`update sessions set last_seen_at = ${new Date(Date.now() - ago)}`);
}

/** Lets time pass for every session. */
async function passes(database: Database, milliseconds: number): Promise<void> {
  const before = (instant: Instant) => new Date(new Date(instant).getTime() - milliseconds);
  await database.write(async (sql) => {
    const rows = await sql<{ key_sha256: string; created_at: Instant; last_seen_at: Instant }>`
      select key_sha256, created_at, last_seen_at from sessions`;
    for (const { key_sha256, created_at, last_seen_at } of rows)
      await sql`
        update sessions set created_at = ${before(created_at)}, last_seen_at = ${before(last_seen_at)}
        where key_sha256 = ${key_sha256}`;
  });
}
