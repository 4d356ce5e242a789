import { beforeAll, describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { Account } from "../../../src/accounts/account.ts";
import { removeAccount, setDisabled } from "../../../src/accounts/account-store.ts";
import { countKeys } from "../../../src/accounts/keys.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { copySchemaTo } from "../../support/databases/sqlite-schema.ts";
import { makeSession, makeToken, withHeaders, withToken } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import { makeMember, PASSWORD } from "../../support/requests/sign-in.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";
import { temporaryFolder } from "../../support/server/server.ts";

/** The maker of a key. */
interface Maker {
  readonly app: TestApp;
  readonly account: Account;
  readonly browser: Send;
}

/** Makes a key with what a person or a program can send. @returns a function that uses it and says whether it works */
type MakeKey = (app: TestApp, send: Send) => Promise<(() => Promise<boolean>) | undefined>;

const isOk = async (response: Promise<Response>) => (await response).ok;

/** The text that a page shows once; undefined when the page does not. */
const shownOnce = async (response: Promise<Response>, pattern: RegExp) =>
  pattern.exec(await (await response).text())?.[0];

/** Every kind of key that works without signing in. */
const KINDS: Readonly<Record<string, MakeKey>> = {
  "a feed of bookmarks": async ({ request }, send) => {
    const path = await shownOnce(
      submit(send, "/library/feeds", { q: "" }),
      /\/library\/feeds\/[0-9a-f]{40}\/library\.atom/,
    );
    return path === undefined ? undefined : () => isOk(request(path));
  },
  "a shared list": async ({ request }, send) => {
    const form = { q: "#travel", title: "Travel" };
    const path = await shownOnce(submit(send, "/library/shares", form), /\/shared\/[A-Za-z0-9]{22}/);
    return path === undefined ? undefined : () => isOk(request(path));
  },
  "a feed of comments": async ({ request }, send) => {
    const path = await shownOnce(
      submit(send, "/moderation/feeds", {}),
      /\/moderation\/feeds\/[0-9a-f]{40}\/comments\.atom/,
    );
    return path === undefined ? undefined : () => isOk(request(path));
  },
  "a preview made in the editor": async ({ request }, send) => {
    const form = { title: "Draft", content: "Text", action: "share", tag: "", version: "" };
    const path = await shownOnce(submit(send, `/write/${crypto.randomUUID()}`, form), /\/preview\/[\w-]{27}/);
    return path === undefined ? undefined : () => isOk(request(path));
  },
  "a preview made by the API": async ({ request }, send) => {
    const edit = `/api/edits/${crypto.randomUUID()}/`;
    await send(edit, { method: "PUT", json: { title: "Draft" } });
    const response = await send(`${edit}previews/`, { method: "POST" });
    if (!response.ok) return undefined;
    const { url } = (await response.json()) as { url: string };
    return () => isOk(request(url));
  },
  "a key of a website": async ({ request }, send) => {
    const key = await shownOnce(submit(send, "/keys/websites", { website: "site" }), /\b[0-9a-f]{26}\b/);
    return key === undefined ? undefined : () => isOk(request(`/ghost/api/content/posts/?key=${key}`));
  },
  "a token made on the page": async ({ request }, send) => {
    const form = { name: "token", scopes: "posts:read", lifetime: "never" };
    const key = await shownOnce(submit(send, "/keys", form), /cmpl_\d+_[0-9a-f]{48}/);
    return key === undefined ? undefined : () => isOk(withToken(request, key)("/api/drafts/"));
  },
  "a code of IndieAuth": async ({ request }, send) => {
    const verifier = randomBytes(32).toString("base64url");
    const client = { client_id: "https://app.example/", redirect_uri: "https://app.example/back" };
    const consent = await submit(send, "/indieauth/authorize/decide", {
      ...{ ...client, response_type: "code", state: "1", scope: "create", scopes: ["create"] },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      ...{ code_challenge_method: "S256", decision: "allow", lifetime: "never" },
    });
    if (consent.status !== 303) return undefined;
    const code = new URL(consent.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, ...client, code_verifier: verifier };
    return () => isOk(submit(request, "/indieauth/token", fields));
  },
};

/** What may happen to the maker, and whether the keys work afterwards; codes are used once, and end with sessions. */
const EVENTS: Readonly<
  Record<string, { happen(maker: Maker): Promise<unknown>; works: boolean; codeWorks?: boolean }>
> = {
  "nothing happens": { happen: async () => undefined, works: true },
  "the account is disabled": { happen: (maker) => setEnabled(maker, false), works: false },
  "the account is disabled, and enabled again": {
    happen: async (maker) => {
      await setEnabled(maker, false);
      await setEnabled(maker, true);
    },
    works: true,
    codeWorks: false,
  },
  "the account is removed": {
    happen: ({ app, account }) =>
      app.database.write((sql) => removeAccount(sql, account.id, new Date(), "always")),
    works: false,
  },
  "the owner makes the bookmarks private": {
    happen: ({ app }) =>
      app.database.write((sql) => saveSite(sql, { bookmarksAccess: "private" }, new Date())),
    works: true,
  },
  "another token of the account is revoked": {
    happen: async ({ app, account }) => {
      const key = await makeToken(app.database, account);
      return withToken(app.request, key)("/api/token/", { method: "DELETE" });
    },
    works: true,
  },
  "the password is changed": {
    happen: (maker) => changePassword(maker, false),
    works: true,
    codeWorks: false,
  },
  "the password is changed and all keys revoked": {
    happen: (maker) => changePassword(maker, true),
    works: false,
  },
};

function setEnabled({ app, account }: Maker, enabled: boolean): Promise<void> {
  return app.database.write((sql) => setDisabled(sql, account.id, !enabled, new Date()));
}

async function changePassword({ browser }: Maker, revoke: boolean): Promise<void> {
  const json = { current_password: PASSWORD, new_password: `${PASSWORD} 2`, revoke_tokens: revoke };
  expect((await browser("/api/account/password/", { method: "PUT", json })).status).toBe(204);
}

describeApp("A key", (service) => {
  let app: TestApp;
  let names = 0;

  beforeAll(async () => {
    app = await service.startApp({ FETCH_PAGES: "off" });
  });

  async function newMaker(): Promise<Maker> {
    const account = await makeMember(app.database, `maker-${++names}`);
    const cookie = await makeSession(app.database, account);
    return { app, account, browser: withHeaders(app.request, { cookie }) };
  }

  for (const [kind, make] of Object.entries(KINDS))
    describe(`such as ${kind}`, () => {
      for (const [event, { happen, works, codeWorks = works }] of Object.entries(EVENTS)) {
        const expected = kind === "a code of IndieAuth" ? codeWorks : works;
        test(`${expected ? "works" : "does not work"} when ${event}`, async () => {
          const maker = await newMaker();
          const use = await make(app, maker.browser);
          await happen(maker);
          expect(await use?.()).toBe(expected);
        });
      }

      test("is not made by a token, whatever its scopes, nor by a stranger where bookmarks are open", async () => {
        const { account } = await newMaker();
        const open = await service.startApp({ FETCH_PAGES: "off", BOOKMARKS_ACCESS: "open" });
        const program = withToken(app.request, await makeToken(app.database, account));
        expect([await make(app, program), await make(open, open.request)]).toEqual([undefined, undefined]);
      });
    });

  test("of each kind is counted with its account", async () => {
    const { account, browser } = await newMaker();
    for (const make of Object.values(KINDS)) await make(app, browser);
    // The code is none yet.
    expect(await countKeys(app.database.read, account.id)).toBe(Object.keys(KINDS).length - 1);
  });
});

test("Every table with the hash of a secret is known to the rule of keys", async () => {
  using folder = temporaryFolder();
  await copySchemaTo(folder.file("test.db"));
  const database = new DatabaseSync(folder.file("test.db"));
  const tables = database
    .prepare(
      `select m.name as name from sqlite_schema m join pragma_table_info(m.name) c
      where m.type = 'table' and c.name like '%_sha256' order by 1`,
    )
    .all()
    .map(({ name }) => name);
  database.close();
  // Sessions and codes end together; a welcome link has no account yet; two have hashes of bodies and texts.
  const others = ["authorization_codes", "idempotency_keys", "rendered_posts", "sessions", "welcome_links"];
  const counted = ["keys", "tokens"];
  expect(tables).toEqual([...others, ...counted].toSorted());
});
