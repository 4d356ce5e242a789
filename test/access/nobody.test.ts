import { expect, test } from "bun:test";
import { revokeToken } from "../../src/accounts/keys.ts";
import { SCOPES, type Scope } from "../../src/accounts/scope.ts";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { makeAccount, makeToken } from "../support/records/accounts.ts";
import { fullRunTest } from "../support/run/full-run.ts";
import { TEST_SETTINGS } from "../support/server/app.ts";
import { engines } from "../support/server/engines.ts";
import { fill, WORDS } from "./records.ts";
import { requestOf } from "./requests.ts";
import { ROWS, type Row } from "./rows.ts";

/** Those that decide: the two that write, the one that may make a shared list, and all. */
const FEW_RIGHTS: readonly (readonly Scope[])[] = [
  ["bookmarks:write"],
  ["posts:write"],
  ["bookmarks:read", "bookmarks:write"],
  SCOPES,
];
/** Each other scope alone, and pairs of which one may read what the other writes or has rights to others. */
const MORE_RIGHTS: readonly (readonly Scope[])[] = [
  ...SCOPES.map((scope) => [scope]).filter(
    (rights) => !FEW_RIGHTS.some((few) => Bun.deepEquals(few, rights)),
  ),
  ["posts:read", "posts:write"],
  ["bookmarks:write", "account"],
  ["bookmarks:write", "posts:write"],
  ["bookmarks:read", "account"],
  ["comments:moderate", "posts:write"],
];

/** They end the token itself, or are told everything by it. */
const LEFT_OUT = new Set(["DELETE /api/token/", "POST /indieauth/revoke", "POST /indieauth/introspect"]);
const isOwn = ({ surface }: Row) => surface === "api" || surface === "micropub";
const WRITES = ROWS.filter((row) => row.method !== "GET" && isOwn(row) && !LEFT_OUT.has(row.name));
/** What anybody can ask for without knowing an address. */
const READS = ROWS.filter(({ method, path, record, at }) => {
  return method === "GET" && record === undefined && at === undefined && !path.includes("{");
});

for (const scopes of [...FEW_RIGHTS, ...MORE_RIGHTS])
  (FEW_RIGHTS.includes(scopes) ? test : fullRunTest)(
    `What nobody could read before a token with ${scopes.join(" and ")} did all that it may, nobody can read after it is revoked`,
    async () => {
      await using toEnd = new AsyncDisposableStack();
      const [engine] = engines;
      const { url } = toEnd.use(await (engine as NonNullable<typeof engine>).createDatabase());
      const access = { BOOKMARKS_ACCESS: "auto", POSTS_ACCESS: "private", COMMENTS: undefined };
      const config = readConfig({ ...TEST_SETTINGS, ...access, DATABASE_URL: url, LOG_LEVEL: "silent" });
      const database = await openDatabase(url);
      toEnd.defer(() => database.close());
      const account = await makeAccount(database, "ada");
      const site = { database, account };
      await fill(site);
      const handle = createApp({ config, database, log: new Log({ level: "silent", format: "json" }) });
      const send = async (request: Request) => handle(request, { address: () => "127.0.0.1" });
      const told = new Set<string>();
      /** The kinds of records of which a stranger sees words, at all addresses that are known by now. */
      const seen = async () => {
        const texts: string[] = [];
        for (const row of READS) texts.push(await (await send(requestOf(row, "", new Headers()))).text());
        for (const address of told) texts.push(await (await send(new Request(address))).text());
        return Object.entries(WORDS).flatMap(([kind, word]) =>
          texts.some((text) => text.includes(word)) ? [kind] : [],
        );
      };

      expect(await seen()).toEqual([]);
      const key = await makeToken(database, account, { scopes });
      for (const row of WRITES) {
        const record = row.record === undefined ? "" : String(await row.record(site));
        const headers = new Headers({ authorization: `Token ${key}` });
        const response = await send(requestOf(row, record, headers));
        const text = await response.text();
        const answer = `${text} ${response.headers.get("location") ?? ""}`;
        for (const [address] of answer.matchAll(/https?:\/\/localhost\/[\w./?=-]+/g)) told.add(address);
      }
      // A shared list is the only thing that a token makes for everybody, and only if it may read what that shows.
      const maySee = scopes.includes("bookmarks:read") && scopes.includes("bookmarks:write");
      expect(await seen()).toEqual(maySee ? ["link"] : []);
      const id = Number(key.split("_")[1]);
      expect(await database.write((sql) => revokeToken(sql, id, account.id))).toBe(true);
      expect(await seen()).toEqual([]);
    },
  );
