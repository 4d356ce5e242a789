import { expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import type { Account } from "../../src/accounts/account.ts";
import { CLIENT_SCOPES, SCOPES } from "../../src/accounts/scope.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { pathOf } from "../support/databases/earlier.ts";
import { sendOver } from "../support/pages/site.ts";
import { makeAccount, makeSession, makeToken } from "../support/records/accounts.ts";
import { engines } from "../support/server/engines.ts";
import { OWN_PAGE } from "./callers.ts";
import { contentKey, fill, sharedList, token } from "./records.ts";
import { addressOf, bodyOf } from "./requests.ts";
import { ROWS, type Row } from "./rows.ts";

/** Secrets: whoever has one may do with it what it is for, and notes that it was used. */
const SECRETS: readonly unknown[] = [token, contentKey, sharedList];

const [engine] = engines;

/** A word in the names of what the other account has. */
const MARK = "Mandragora";

/** Every route is tried by an account about a record of another one: the matrix knows rights, not owners. */
test.skipIf(engine?.name !== "SQLite")(
  "No account sees, changes or ends what another has for itself",
  async () => {
    if (engine === undefined) throw new Error("There is no engine.");
    await using place = await engine.createDatabase();
    const database = await openDatabase(place.url);
    const file = new DatabaseSync(pathOf(place.url));
    try {
      const owner = await makeAccount(database, "ada");
      const other = await makeAccount(database, "eve");
      const site = { database, account: owner };
      await fill(site);
      const send = sendOver(database, { COMMENTS: "moderated", FETCH_PAGES: "off", DATABASE_URL: place.url });
      const found: string[] = [];
      for (const row of ROWS.filter((row) => !SECRETS.includes(row.record))) {
        const record = row.record === undefined ? "" : String(await row.record(site));
        const before = ownedBy(owner, file);
        const { body, headers } = bodyOf(row, record);
        const credentials = await credentialsFor(row, other, database);
        const init = {
          method: row.method,
          headers: { ...headers, ...credentials },
          ...(body != null && { body }),
        };
        const response = await send(addressOf(row, record), init);
        const isFile = response.headers.get("content-type") === "application/zip";
        if (!isFile && (await response.text()).includes(MARK)) found.push(`${row.name} shows it`);
        if (ownedBy(owner, file) !== before) found.push(`${row.name} changes it`);
      }
      expect(found).toEqual([]);
    } finally {
      file.close();
      await database.close();
    }
  },
);

/**
 * The rows of every table that names its account: sessions, tokens, and the keys of websites, feeds, shared lists and
 * previews. From now on their names have the mark.
 */
function ownedBy({ id }: Account, file: DatabaseSync): string {
  const tables = file
    .prepare(
      "select t.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and c.name = 'account_id'",
    )
    .all();
  const rows = tables.map(({ name }) => {
    for (const column of ["name", "user_agent"])
      if (hasColumn(file, String(name), column))
        file.exec(
          `update ${name} set ${column} = '${MARK}' where account_id = ${id} and ${column} is not '${MARK}'`,
        );
    return [name, file.prepare(`select * from ${name} where account_id = ${id} order by 1`).all()];
  });
  expect(tables.length).toBeGreaterThan(3);
  return JSON.stringify(rows);
}

function hasColumn(file: DatabaseSync, table: string, column: string): boolean {
  return file.prepare(`select 1 from pragma_table_info('${table}') where name = ?`).get(column) !== undefined;
}

async function credentialsFor(
  { surface }: Row,
  account: Account,
  database: Database,
): Promise<Record<string, string>> {
  const isPage = surface === "page" || surface === "file";
  if (isPage) return { ...OWN_PAGE, cookie: await makeSession(database, account) };
  const scopes = [...SCOPES, ...CLIENT_SCOPES];
  return { authorization: `Token ${await makeToken(database, account, { scopes })}` };
}
