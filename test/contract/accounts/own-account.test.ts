import { describe, expect, test } from "bun:test";
import type { Account } from "../../../src/accounts/account.ts";
import { describeSite } from "../../support/pages/site.ts";
import { makeSession, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { PASSWORD, signIn, TOKEN, whoIs } from "../../support/requests/sign-in.ts";

const TOKENS = "/api/tokens/";
const SESSIONS = "/api/sessions/";
const OWN_PASSWORD = "/api/account/password/";

interface TokenBody {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly token?: string;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describeSite("One's own account", (site) => {
  const cookieOf = async (account: Account) => ({ cookie: await makeSession(site.database, account) });
  const create = async (headers: Record<string, string>, json: unknown) =>
    site.send(TOKENS, { method: "POST", headers, json });

  describe("POST /api/tokens/", () => {
    test("answers 201 with the token and its key, which works at once and is shown only then", async () => {
      const headers = await cookieOf(await site.createAccount());
      const response = await create(headers, { name: "phone", scopes: ["bookmarks:read", "account"] });
      expect(response.status).toBe(201);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      const { token = "", ...shown } = (await response.json()) as TokenBody;
      expect(response.headers.get("location")).toBe(`${TOKENS}${shown.id}/`);
      expect(shown).toMatchObject({ name: "phone", scopes: ["bookmarks:read", "account"], expires_at: null });
      const read = await site.send(`${TOKENS}${shown.id}/`, { headers });
      expect(await read.json()).toEqual(shown);
      expect((await site.send(TOKENS, { headers: bearer(token) })).status).toBe(200);
      expect(await (await site.send(TOKENS, { headers })).text()).not.toContain(token);
    });

    test("grants no scope that the token of the request lacks, and by default all that it has", async () => {
      const key = await makeToken(site.database, await site.createAccount(), {
        scopes: ["account", "posts:read"],
      });
      const refused = await create(bearer(key), { name: "x", scopes: ["posts:read", "posts:write"] });
      await expectErrors(refused, { pointer: "/scopes", code: "unknown_value" });
      const none = await create(bearer(key), { name: "x", scopes: [] });
      await expectErrors(none, { pointer: "/scopes", code: "out_of_range" });
      const made = (await (await create(bearer(key), { name: "x" })).json()) as TokenBody;
      expect(made.scopes).toEqual(["posts:read", "account"]);
    });

    test("gives with a scope to write the one to read; who lacks that cannot give it", async () => {
      const account = await site.createAccount();
      const headers = await cookieOf(account);
      for (const [scopes, granted] of [
        [["bookmarks:write"], ["bookmarks:read", "bookmarks:write"]],
        [["posts:write"], ["posts:read", "posts:write"]],
        [["comments:moderate"], ["comments:moderate"]],
        [
          ["posts:read", "bookmarks:write"],
          ["bookmarks:read", "bookmarks:write", "posts:read"],
        ],
      ]) {
        const created = (await (await create(headers, { name: "x", scopes })).json()) as TokenBody;
        expect(created.scopes).toEqual(granted ?? []);
        const read = await site.send("/api/drafts/", { headers: bearer(created.token ?? "") });
        expect(read.status).toBe(granted?.includes("posts:read") ? 200 : 403);
        const form = { name: `page of ${scopes?.join(" ")}`, lifetime: "never", scopes: scopes ?? [] };
        expect((await submit(withHeaders(site.send, headers), "/keys", form)).status).toBe(200);
        const tokens = (await (await site.send(TOKENS, { headers })).json()) as TokenBody[];
        expect(tokens.find(({ name }) => name === form.name)?.scopes).toEqual(granted ?? []);
      }
      const old = await makeToken(site.database, account, { scopes: ["account", "bookmarks:write"] });
      for (const json of [{ name: "x" }, { name: "x", scopes: ["bookmarks:write"] }])
        await expectErrors(await create(bearer(old), json), { pointer: "/scopes", code: "unknown_value" });
      expect((await create(bearer(old), { name: "x", scopes: ["account"] })).status).toBe(201);
    });

    test("accepts only an expiry in the future", async () => {
      const headers = await cookieOf(await site.createAccount());
      const expires_at = new Date(Date.now() + 60_000).toISOString();
      expect(await (await create(headers, { name: "x", expires_at })).json()).toMatchObject({ expires_at });
      for (const wrong of ["2020-01-01T00:00:00Z", "9999-12-31T23:59:59-00:01", "tomorrow", 7])
        expect((await create(headers, { name: "x", expires_at: wrong })).status).toBe(422);
      for (const name of ["", "x".repeat(101), undefined])
        expect((await create(headers, { name })).status).toBe(422);
    });
  });

  test("DELETE /api/tokens/{id}/ revokes only a token of the caller's account", async () => {
    const [owner, other] = [await site.createAccount(), await site.createAccount()];
    const key = await makeToken(site.database, owner);
    const [{ id } = { id: 0 }] = (await (
      await site.send(TOKENS, { headers: bearer(key) })
    ).json()) as TokenBody[];
    const remove = (headers: Record<string, string>) =>
      site.send(`${TOKENS}${id}/`, { method: "DELETE", headers });
    expectProblem(await remove(await cookieOf(other)), 404);
    expect((await remove({ ...(await cookieOf(owner)), "if-match": '"other"' })).status).toBe(412);
    expect((await remove(await cookieOf(owner))).status).toBe(204);
    expect((await site.send(TOKENS, { headers: bearer(key) })).status).toBe(401);
  });

  test("of two requests that revoke a token at once, or end a session, one finds it and the other does not", async () => {
    const owner = await site.createAccount();
    const [here, there] = [await cookieOf(owner), await cookieOf(owner)];
    const { id } = (await (await create(here, { name: "phone" })).json()) as TokenBody;
    const sessions = (await (await site.send(SESSIONS, { headers: there })).json()) as {
      id: string;
      current: boolean;
    }[];
    const other = sessions.find(({ current }) => !current)?.id ?? "";
    const asks = [`${TOKENS}${id}/`, `${SESSIONS}${other}/`].map(async (path) => {
      const responses = await Promise.all(
        [1, 2].map(() => site.send(path, { method: "DELETE", headers: there })),
      );
      return responses.map(({ status }) => status).toSorted();
    });
    expect(await Promise.all(asks)).toEqual([
      [204, 404],
      [204, 404],
    ]);
  });

  test("GET of tokens and of sessions has an ETag, and 304 for it", async () => {
    const headers = await cookieOf(await site.createAccount());
    for (const path of [TOKENS, SESSIONS]) {
      const etag = (await site.send(path, { headers })).headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      expect((await site.send(path, { headers: { ...headers, "if-none-match": etag } })).status).toBe(304);
    }
  });

  test("a wrong password on the page leaves the displayed name in its field", async () => {
    const browser = withHeaders(site.send, await cookieOf(await site.createAccount()));
    await submit(browser, "/account/name", { display_name: "Ada L." });
    const fields = { current_password: "not this one", new_password: "another horse, another battery" };
    const refused = await submit(browser, "/account/password", fields);
    expect(refused.status).toBe(422);
    const html = await refused.text();
    expect(fieldValue(html, "display_name")).toBe("Ada L.");
    expect(html).toContain("The password was not changed");
    const long = await submit(browser, "/account/name", { display_name: "x".repeat(1_000) });
    expect(await long.text()).not.toContain("The password was not changed");
  });

  describe("PUT /api/account/password/", () => {
    const change = (headers: Record<string, string>, json: unknown) =>
      site.send(OWN_PASSWORD, { method: "PUT", headers, json });
    const NEW = "another horse, another battery";

    test("changes it, ends the other sessions, keeps this one and the tokens", async () => {
      const member = await site.createAccount();
      const [here, there] = [await cookieOf(member), await cookieOf(member)];
      const key = await makeToken(site.database, member);
      const response = await change(here, { current_password: PASSWORD, new_password: NEW });
      expect(response.status).toBe(204);
      expect(await whoIs(site.send, here)).toBe(member.username);
      expect(await whoIs(site.send, there)).toBeUndefined();
      expect(await whoIs(site.send, bearer(key))).toBe(member.username);
      expect((await signIn(site.send, TOKEN, member)).status).toBe(401);
      const json = { username: member.username, password: NEW };
      expect((await site.send(TOKEN, { method: "POST", json })).status).toBe(200);
    });

    test("ends the tokens when asked, but not the one that asks", async () => {
      const member = await site.createAccount();
      const [asking, other] = [
        await makeToken(site.database, member),
        await makeToken(site.database, member),
      ];
      const json = { current_password: PASSWORD, new_password: NEW, revoke_tokens: true };
      expect((await change(bearer(asking), json)).status).toBe(204);
      expect(await whoIs(site.send, bearer(asking))).toBe(member.username);
      expect((await site.send(TOKENS, { headers: bearer(other) })).status).toBe(401);
    });

    test("is refused with a wrong password, a short one, and soon after many wrong ones, changing nothing", async () => {
      const member = await site.createAccount();
      const headers = await cookieOf(member);
      await expectErrors(await change(headers, { current_password: PASSWORD, new_password: "short" }), {
        pointer: "/new_password",
        code: "too_short",
      });
      for (let attempt = 0; attempt < 5; attempt++)
        await expectErrors(await change(headers, { current_password: "wrong", new_password: NEW }), {
          pointer: "/current_password",
          code: "wrong_password",
        });
      const held = await change(headers, { current_password: PASSWORD, new_password: NEW });
      expect(held.status).toBe(429);
      expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await whoIs(site.send, headers)).toBe(member.username);
    });
  });

  test("DELETE /api/sessions/{id}/ ends only a session of the caller's account", async () => {
    const [owner, other] = [await site.createAccount(), await site.createAccount()];
    const [here, there] = [await cookieOf(owner), await cookieOf(owner)];
    const sessions = (await (await site.send(SESSIONS, { headers: here })).json()) as {
      readonly id: string;
      readonly current: boolean;
    }[];
    expect(sessions.map(({ current }) => current).toSorted()).toEqual([false, true]);
    const away = sessions.find(({ current }) => !current)?.id ?? "";
    const end = (headers: Record<string, string>) =>
      site.send(`${SESSIONS}${away}/`, { method: "DELETE", headers });
    expectProblem(await end(await cookieOf(other)), 404);
    expect((await end(here)).status).toBe(204);
    expect(await whoIs(site.send, there)).toBeUndefined();
    expect(await whoIs(site.send, here)).toBe(owner.username);
  });
});
