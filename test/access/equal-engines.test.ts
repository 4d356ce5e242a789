import { afterEach, expect, setSystemTime, test } from "bun:test";
import type { Account } from "../../src/accounts/account.ts";
import { CLIENT_SCOPES, SCOPES } from "../../src/accounts/scope.ts";
import type { Clock } from "../../src/clock.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { sendOver, watched } from "../support/pages/site.ts";
import { makeAccount, makeSession, makeToken } from "../support/records/accounts.ts";
import { type Engine, engines } from "../support/server/engines.ts";
import { OWN_PAGE } from "./callers.ts";
import { fill, startOver } from "./records.ts";
import { addressOf, bodyOf } from "./requests.ts";
import { ROWS, type Row } from "./rows.ts";

/** When the first request comes. */
const NOON = Date.UTC(2026, 2, 1, 12);

let hasEnded = false;
afterEach(() => {
  hasEnded = true;
  setSystemTime();
});

test.skipIf(engines.length === 1)(
  "every route answers the same on each engine: counts, orders, types of values, and what was changed before",
  async () => {
    const answers: ReadonlyMap<string, string>[] = [];
    for (const engine of engines) answers.push(await answersOn(engine));
    const differences: string[][] = [];
    const [first = new Map<string, string>(), ...others] = answers;
    for (const other of others)
      for (const [name, answer] of other)
        if (answer !== first.get(name)) differences.push([name, ...differenceOf(answer, first.get(name))]);
    expect(differences).toEqual([]);
  },
);

/** What the owner gets at each route, one after another: each request is about a new record. */
async function answersOn(engine: Engine): Promise<ReadonlyMap<string, string>> {
  await using place = await engine.createDatabase();
  // Only this test moves it.
  const clock: Clock = { now: () => new Date(), elapsed: () => Date.now() };
  setTime(NOON);
  const database = await openDatabase(place.url, { clock });
  try {
    startOver();
    const account = await makeAccount(database, "ada");
    const site = { database, account };
    await fill(site);
    if (engine !== engines[0]) await spreadCounters(database);
    const watching = watched(database);
    const send = sendOver(watching, { COMMENTS: "moderated", FETCH_PAGES: "off", DATABASE_URL: place.url });
    const answers = new Map<string, string>();
    for (const [index, row] of ROWS.entries()) {
      // What is ordered by time has one order.
      setTime(NOON + index * 1_000);
      const record = row.record === undefined ? "" : String(await row.record(site));
      const { body, headers } = bodyOf(row, record);
      const credentials = await credentialsFor(row, site);
      const init = {
        method: row.method,
        headers: { ...headers, ...credentials },
        ...(body != null && { body }),
      };
      const response = await send(addressOf(row, record), init);
      answers.set(row.name, await told(response));
      // Some follow the response.
      await Promise.allSettled(watching.writes);
    }
    return answers;
  } finally {
    await database.close();
  }
}

/** Sets the time of the process. A test that has taken too long goes on beside the next ones, whose time it must not change. */
function setTime(time: number): void {
  if (hasEnded) throw new Error("the test has ended");
  setSystemTime(time);
}

/**
 * Leaves every counter as writers at the same time do: its total is the sum of several slots, and in none of them. One
 * has removed what another had added, so a slot may be negative.
 */
async function spreadCounters(database: Database): Promise<void> {
  for (const [slot, n] of [
    [101, 1_000],
    [102, -1_000],
  ] as const)
    await database.write(async (sql) => {
      await sql`insert into counters (name, slot, n) select distinct name, ${slot}, ${n} from counters`;
      await sql`
        insert into search_bookmarks_tag_counts (tag_key, slot, records, with_below)
        select distinct tag_key, ${slot}, ${n}, ${n} from search_bookmarks_tag_counts`;
      await sql`
        insert into search_bookmarks_tag_names (tag_key, name, slot, records)
        select distinct tag_key, name, ${slot}, ${n} from search_bookmarks_tag_names`;
      await sql`
        insert into search_bookmarks_sites (host, slot, records)
        select distinct host, ${slot}, ${n} from search_bookmarks_sites`;
    });
}

async function credentialsFor(
  { surface }: Row,
  { database, account }: { readonly database: Database; readonly account: Account },
): Promise<Record<string, string>> {
  const isPage = surface === "page" || surface === "file";
  if (isPage) return { ...OWN_PAGE, cookie: await makeSession(database, account) };
  const scopes = [...SCOPES, ...CLIENT_SCOPES];
  return { authorization: `Token ${await makeToken(database, account, { scopes })}` };
}

/** What a client is told, without what is random, such as keys and digests, and without the time of day. */
async function told(response: Response): Promise<string> {
  const fields = ["x-total-count", "link", "search-matches", "location", "content-type"].map((name) =>
    response.headers.get(name),
  );
  const isFile = response.headers.get("content-type") === "application/zip";
  const text = isFile ? "" : await response.text();
  return (
    [response.status, ...fields, text]
      .join("\n")
      .replaceAll(/(?<![\w-])[\w-]{16,}(?![\w-])|\b[0-9a-f]{8}\.\d+/g, "…")
      // It is written now and then, not with each request.
      .replaceAll(/"last_(?:used|seen)_at":(?:null|"[^"]*")/g, "…")
      .replaceAll(/(?<!\d)12:\d\d(?::\d\d(?:\.\d+)?)?/g, "…")
  );
}

/** Where two answers begin to differ. */
function differenceOf(one: string, other = ""): string[] {
  const start = [...one].findIndex((character, at) => character !== other[at]);
  return [one, other].map((answer) => answer.slice(Math.max(0, start - 60), start + 60));
}
