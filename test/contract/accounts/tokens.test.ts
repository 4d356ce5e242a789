import { describe, expect, test } from "bun:test";
import { resetPassword, setDisabled } from "../../../src/accounts/account-store.ts";
import { keyOf, newSecret, parseKey } from "../../../src/accounts/tokens/token.ts";
import { findToken, listTokens } from "../../../src/accounts/tokens/token-store.ts";

// The clock of credentials: it stays ahead when another test of this process has set the other one forward and back.
import { monotonicNow } from "../../../src/clock.ts";
import type { Database } from "../../../src/database/database.ts";
import { describeSite, sendOver, watched } from "../../support/pages/site.ts";
import { disableAccount, makeToken } from "../../support/records/accounts.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import {
  CHALLENGES,
  PASSWORD,
  quickHash,
  SESSION,
  signIn,
  signInForCookie,
  signInForToken,
  TOKEN,
  WRONG,
  whoIs,
} from "../../support/requests/sign-in.ts";

const POSTS = "/api/posts/";
const DAY = 24 * 60 * 60 * 1000;

const token = (key: string) => ({ authorization: `Token ${key}` });

describeSite("Tokens", (site) => {
  describe("POST /api/token/", () => {
    test("answers 200 with a token that signs in, and when it expires: 30 days from now", async () => {
      const editor = await site.createAccount();
      const before = monotonicNow(site.database.clock);
      const response = await signIn(site.send, TOKEN, editor);
      const after = monotonicNow(site.database.clock);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      const body = (await response.json()) as { token: string; expires_at: string };
      expect(Object.keys(body)).toEqual(["token", "expires_at"]);
      expect(body.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(body.expires_at)).toBeWithin(before + 30 * DAY, after + 30 * DAY + 1);
      expect(await whoIs(site.send, token(body.token))).toBe(editor.username);
    });

    test("answers with Cache-Control: no-store, and sets no cookie", async () => {
      const editor = await site.createAccount();
      const { headers } = await signIn(site.send, TOKEN, editor);
      expect(headers.get("cache-control")).toMatch(/(?:^|, )no-store(?:$|,)/);
      expect(headers.has("set-cookie")).toBe(false);
    });

    test("creates tokens with the lifetime TOKEN_TTL", async () => {
      const editor = await site.createAccount();
      const before = monotonicNow(site.database.clock);
      const response = await signIn(site.sendWith({ TOKEN_TTL: "12h" }), TOKEN, editor);
      const { expires_at } = (await response.json()) as { expires_at: string };
      expect(Date.parse(expires_at)).toBeWithin(
        before + DAY / 2,
        monotonicNow(site.database.clock) + DAY / 2 + 1,
      );
    });

    test("takes the name without regard to case", async () => {
      const editor = await site.createAccount();
      const key = await signInForToken(site.send, { username: editor.username.toUpperCase() });
      expect(await whoIs(site.send, token(key))).toBe(editor.username);
    });

    test("creates a new token each time, and each of them works", async () => {
      const editor = await site.createAccount();
      const keys = [await signInForToken(site.send, editor), await signInForToken(site.send, editor)];
      expect(new Set(keys).size).toBe(2);
      for (const key of keys) expect(await whoIs(site.send, token(key))).toBe(editor.username);
    });

    test("is never replayed for an Idempotency-Key", async () => {
      const editor = await site.createAccount();
      const headers = { "idempotency-key": "once" };
      const first = await signIn(site.send, TOKEN, { ...editor, headers });
      const second = await signIn(site.send, TOKEN, { ...editor, headers });
      expect(second.headers.has("idempotency-replayed")).toBe(false);
      expect(await second.json()).not.toEqual(await first.json());
      expect(await site.database.read`select key from idempotency_keys`).toEqual([]);
    });

    test("answers a wrong password, a name that does not exist and a disabled account all the same: 401", async () => {
      const editor = await site.createAccount();
      const former = await site.createAccount();
      await disableAccount(site.database, former);
      const problems = [];
      for (const attempt of [{ ...editor, password: WRONG }, { username: "nobody" }, former]) {
        const response = await signIn(site.send, TOKEN, attempt);
        expect(response.headers.get("www-authenticate")).toBe(CHALLENGES);
        expect(response.headers.has("set-cookie")).toBe(false);
        problems.push(await expectProblem(response, 401));
      }
      expect(problems[1]).toEqual(problems[0]);
      expect(problems[2]).toEqual(problems[0]);
      expect(JSON.stringify(problems[0])).not.toContain(WRONG);
    });

    test("uses the password exactly as sent: no trimming, no other case, no normalization", async () => {
      const editor = await site.createAccount();
      for (const password of [` ${PASSWORD}`, `${PASSWORD}\n`, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1)])
        expect((await signIn(site.send, TOKEN, { ...editor, password })).status).toBe(401);
      expect((await signIn(site.send, TOKEN, editor)).status).toBe(200);
    });

    test("refuses a body that is not two strings, with all errors at once", async () => {
      const editor = await site.createAccount();
      await expectErrors(
        await site.send(TOKEN, { method: "POST", json: {} }),
        { pointer: "/username", code: "missing" },
        { pointer: "/password", code: "missing" },
      );
      await expectErrors(
        await site.send(TOKEN, { method: "POST", json: { username: 7, password: null } }),
        { pointer: "/username", code: "wrong_type" },
        { pointer: "/password", code: "wrong_type" },
      );
      await expectErrors(await signIn(site.send, TOKEN, { ...editor, password: "a\0b" }), {
        pointer: "/password",
        code: "bad_character",
      });
    });

    test("accepts a form, too: another site that sends one cannot read the answer", async () => {
      const { username } = await site.createAccount();
      const body = `username=${username}&password=${PASSWORD}`;
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const response = await site.send(TOKEN, { method: "POST", headers, body });
      expect(await response.json()).toEqual({
        token: expect.stringMatching(/^cmpl_/),
        expires_at: expect.any(String),
      });
      expect(response.headers.has("access-control-allow-origin")).toBe(false);
    });
  });

  describe("The Authorization header", () => {
    test.each(["Token", "token", "TOKEN", "Bearer", "bearer", "bEaReR", "Token  ", "Bearer  "])(
      "signs in with the scheme written %j",
      async (scheme) => {
        const editor = await site.createAccount();
        const key = await makeToken(site.database, editor);
        expect(await whoIs(site.send, { authorization: `${scheme} ${key}` })).toBe(editor.username);
      },
    );

    test.each(["Basic", "Digest", "Negotiate", "Tokens", "Bearers", "Token-2", "Bearer.x", "X-Token", ""])(
      "is ignored with the scheme written %j, whatever follows",
      async (scheme) => {
        const editor = await site.createAccount();
        const headers = { authorization: `${scheme} ${await makeToken(site.database, editor)}`.trim() };
        expect((await site.send(POSTS, { headers })).status).toBe(200);
        const refused = await site.send(SESSION, { headers });
        expect(refused.headers.get("www-authenticate")).toBe(CHALLENGES);
        await expectProblem(refused, 401);
      },
    );

    test("with a proxy's own scheme does not affect the cookie", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      expect(await whoIs(site.send, { cookie, authorization: "Basic Zm9vOmJhcg==" })).toBe(editor.username);
    });

    test("takes precedence over the cookie", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      const robot = await site.createAccount();
      const key = await makeToken(site.database, robot);
      expect(await whoIs(site.send, { cookie, ...token(key) })).toBe(robot.username);
    });

    test("with a wrong token is 401 also beside a cookie that is right", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      await expectProblem(await site.send(POSTS, { headers: { cookie, ...token("wrong") } }), 401);
    });

    test("with a wrong token is 401 invalid_token, on a public GET too, and explains where to get a new one", async () => {
      const editor = await site.createAccount();
      const key = await makeToken(site.database, editor);
      const { id } = parseKey(key) ?? { id: 0 };
      const wrong = {
        "no key": "",
        "no key of ours": "9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b",
        "a typing error": key.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        "a secret that is not the one": keyOf(id, newSecret()),
        "a token that never was": keyOf(987_654, newSecret()),
        "more than a key": `${key} ${key}`,
        "a key in capitals": key.toUpperCase(),
      };
      for (const [what, presented] of Object.entries(wrong))
        for (const path of ["/bookmarks/", POSTS, SESSION]) {
          const response = await site.send(path, { headers: { authorization: `Bearer ${presented}` } });
          expect(response.headers.get("www-authenticate"), what).toBe(
            'Bearer realm="commonplace", error="invalid_token", Token realm="commonplace"',
          );
          const { detail } = await expectProblem(response, 401);
          expect(detail).toContain("POST /api/token/");
          expect(response.headers.get("cache-control")).toContain("no-store");
        }
      expect((await site.send(POSTS, { headers: token(key) })).status).toBe(200);
    });

    test("with a wrong token is refused after 404 and 405, and before the body is looked at", async () => {
      const headers = { ...token("wrong"), "content-type": "text/plain" };
      expect((await site.send("/api/nothing/", { headers })).status).toBe(404);
      expect((await site.send(POSTS, { method: "DELETE", headers })).status).toBe(405);
      expect((await site.send(POSTS, { method: "POST", headers, body: "no JSON" })).status).toBe(401);
    });
  });

  describe("A token", () => {
    test("is valid until its expires_at, and not after", async () => {
      const editor = await site.createAccount();
      const key = await makeToken(site.database, editor, { expiresAt: new Date(Date.now() + 60_000) });
      expect(await whoIs(site.send, token(key))).toBe(editor.username);
      await site.database.write((sql) => sql`update tokens set expires_at = ${new Date()}`);
      const response = await site.send(POSTS, { headers: token(key) });
      expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
      await expectProblem(response, 401);
    });

    test("stays expired when the clock is set back", async () => {
      const editor = await site.createAccount();
      const key = await makeToken(site.database, editor, { expiresAt: new Date(Date.now() - 1) });
      const eye = watched(site.database);
      expect((await sendOver(eye)(POSTS, { headers: token(key) })).status).toBe(401);
      await Promise.all(eye.writes);
      await site.database.write((sql) => sql`update tokens set expires_at = ${new Date(Date.now() + DAY)}`);
      expect((await site.send(POSTS, { headers: token(key) })).status).toBe(401);
    });

    test("without an expiry is valid forever", async () => {
      const editor = await site.createAccount();
      const key = await makeToken(site.database, editor, { expiresAt: null });
      await site.database.write((sql) => sql`update tokens set created_at = ${new Date(0)}`);
      expect(await whoIs(site.send, token(key))).toBe(editor.username);
    });

    test("of a disabled account is invalid until the account is enabled again", async () => {
      const editor = await site.createAccount();
      const key = await makeToken(site.database, editor);
      await disableAccount(site.database, editor);
      await expectProblem(await site.send(POSTS, { headers: token(key) }), 401);
      await site.database.write((sql) => setDisabled(sql, editor.id, false, new Date()));
      expect(await whoIs(site.send, token(key))).toBe(editor.username);
    });

    test("without a scope is 403 insufficient_scope where that scope is required, and valid elsewhere", async () => {
      const editor = await site.createAccount();
      const headers = token(await makeToken(site.database, editor, { scopes: ["posts:read"] }));
      const json = { title: "First light", content: "Hello." };
      const refused = await site.send(POSTS, { method: "POST", headers, json });
      expect(refused.headers.get("www-authenticate")).toBe(
        'Bearer realm="commonplace", error="insufficient_scope", scope="posts:write"',
      );
      const { detail } = await expectProblem(refused, 403);
      expect(detail).toContain("posts:write");
      expect((await site.send("/api/drafts/", { headers })).status).toBe(200);
    });

    test("from a sign-in has all scopes", async () => {
      const editor = await site.createAccount();
      const send = site.sendWith({ BOOKMARKS_ACCESS: "private" });
      const headers = token(await signInForToken(send, editor));
      const link = { title: "Example", url: "https://example.com/" };
      expect((await send("/bookmarks/", { headers })).status).toBe(200);
      expect((await send("/bookmarks/", { method: "POST", headers, json: link })).status).toBe(201);
      expect((await send("/api/drafts/", { headers })).status).toBe(200);
      const post = { title: "First light", content: "Hello." };
      expect((await send("/api/drafts/", { method: "POST", headers, json: post })).status).toBe(201);
      expect((await send("/api/comments/", { headers })).status).toBe(200);
    });

    test("is not created if the password changes at the same time", async () => {
      const editor = await site.createAccount();
      const changing = watched(site.database, async (text) => {
        if (!/from accounts\s+where username_key/.test(text)) return;
        // From here on the password is being checked against the hash that was just read.
        await site.database.write((sql) =>
          resetPassword(sql, editor.id, quickHash("another password"), new Date()),
        );
      });
      const response = await signIn(sendOver(changing), TOKEN, editor);
      expect(response.headers.get("www-authenticate")).toBe(CHALLENGES);
      await expectProblem(response, 401);
      expect(await listTokens(site.database.read, editor.id)).toEqual([]);
    });
  });

  describe("DELETE /api/token/", () => {
    test("revokes the token that is presented, at once and no other", async () => {
      const editor = await site.createAccount();
      const [kept, revoked] = [
        await signInForToken(site.send, editor),
        await signInForToken(site.send, editor),
      ];
      const response = await site.send(TOKEN, {
        method: "DELETE",
        headers: { authorization: `BEARER   ${revoked}` },
      });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      const refused = await site.send(POSTS, { headers: token(revoked) });
      expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
      expect(await whoIs(site.send, token(kept))).toBe(editor.username);
      expect((await site.send(TOKEN, { method: "DELETE", headers: token(revoked) })).status).toBe(401);
    });

    test("is 401 when no token is presented, also with a session, which continues", async () => {
      const editor = await site.createAccount();
      const cookie = await signInForCookie(site.send, editor);
      for (const headers of [{}, { cookie }]) {
        const response = await site.send(TOKEN, { method: "DELETE", headers });
        expect(response.headers.get("www-authenticate")).toBe(CHALLENGES);
        await expectProblem(response, 401);
      }
      expect(await whoIs(site.send, { cookie })).toBe(editor.username);
    });

    test("needs no scope: anyone who finds a token can revoke it", async () => {
      const editor = await site.createAccount();
      const key = await makeToken(site.database, editor, { scopes: ["bookmarks:read"] });
      expect((await site.send(TOKEN, { method: "DELETE", headers: token(key) })).status).toBe(204);
    });
  });

  describe("The last use of a token", () => {
    test("is written down", async () => {
      const editor = await site.createAccount();
      const eye = watched(site.database);
      const key = await makeToken(site.database, editor);
      expect(await lastUse(site.database, key)).toBeNull();
      const before = monotonicNow(site.database.clock);
      await sendOver(eye)(POSTS, { headers: token(key) });
      await Promise.all(eye.writes);
      expect((await lastUse(site.database, key))?.getTime()).toBeWithin(
        before,
        monotonicNow(site.database.clock) + 1,
      );
    });

    test("is written at most once a minute, by whatever process", async () => {
      const editor = await site.createAccount();
      const eye = watched(site.database);
      const headers = token(await makeToken(site.database, editor));
      // A session's short life makes a session's last use go stale sooner, but not a token's.
      const settings = { SESSION_IDLE: "10s" };
      const send = sendOver(eye, settings);
      for (let count = 0; count < 3; count++) await send(POSTS, { headers });
      await Promise.all(eye.writes);
      await sendOver(eye, settings)(POSTS, { headers });
      expect(eye.writes).toHaveLength(1);
      await site.database.write(
        (sql) =>
          sql`update tokens set last_used_at = ${new Date(monotonicNow(site.database.clock) - 50_000)}`,
      );
      await sendOver(eye, settings)(POSTS, { headers });
      expect(eye.writes).toHaveLength(1);
      await site.database.write(
        (sql) =>
          sql`update tokens set last_used_at = ${new Date(monotonicNow(site.database.clock) - 60_000)}`,
      );
      await sendOver(eye, settings)(POSTS, { headers });
      expect(eye.writes).toHaveLength(2);
    });

    test("is written once by many requests at the same time", async () => {
      const editor = await site.createAccount();
      const eye = watched(site.database);
      const send = sendOver(eye);
      const headers = token(await makeToken(site.database, editor));
      await Promise.all(Array.from({ length: 50 }, () => send(POSTS, { headers })));
      expect(eye.writes).toHaveLength(1);
    });

    test("does not delay the request while something else writes", async () => {
      const editor = await site.createAccount();
      const key = await makeToken(site.database, editor);
      const { promise: otherHolds, resolve: hold } = Promise.withResolvers<void>();
      const { promise: otherIsDone, resolve } = Promise.withResolvers<void>();
      const other = site.database.write(async (sql) => {
        await sql`update tokens set name = 'held'`;
        hold();
        await otherIsDone;
      });
      await otherHolds;
      expect(await whoIs(site.send, token(key))).toBe(editor.username);
      expect(await lastUse(site.database, key)).toBeNull();
      resolve();
      await other;
    });
  });
});

async function lastUse(database: Database, key: string): Promise<Date | null | undefined> {
  const found = await findToken(database.read, parseKey(key)?.id ?? 0);
  return found?.token.lastUsedAt;
}
