import type { Account } from "../../src/accounts/account.ts";
import { findAccountByName } from "../../src/accounts/account-store.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { makeAccount, makeSession, makeToken, withToken } from "../../test/support/records/accounts.ts";
import { sendTo } from "../../test/support/requests/send.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../test/support/server/server.ts";
import { fillHostileSite, fillSite } from "./fill-sites.ts";
import type { PictureSite } from "./picture-site.ts";
import { seedDatabase } from "./seed-database.ts";

/**
 * The made-up sites: one without an account, one with an account and nothing else, one with a library and a blog, the
 * same where everyone may read the bookmarks, and one with long, hostile and right-to-left texts.
 */
export const SITE_NAMES = ["new", "empty", "full", "readable", "hostile"] as const;
export type SiteName = (typeof SITE_NAMES)[number];

/** Comments wait, so that there is something to moderate, and no pages are fetched. */
const SETTINGS = { COMMENTS: "moderated", FETCH_PAGES: "off" };

/** Starts all sites, and fills them. */
export async function startSites(
  toEnd: AsyncDisposableStack,
): Promise<Readonly<Record<SiteName, PictureSite>>> {
  const folder = toEnd.use(temporaryFolder());
  const urlOf = (name: string) => `sqlite:${folder.file(`${name}.db`)}`;
  const start = async (name: string, settings: Readonly<Record<string, string>>) => {
    const databaseUrl = urlOf(name);
    const server = await startServer({ DATABASE_URL: databaseUrl, FETCH_PAGES: "off", ...settings });
    toEnd.defer(() => server.kill());
    const database = await openDatabase(databaseUrl);
    toEnd.defer(() => database.close());
    return { server, database };
  };
  const owned = async (name: string, settings: Readonly<Record<string, string>> = {}) => {
    const { server, database } = await start(name, { ...SETTINGS, BOOKMARKS_ACCESS: "private", ...settings });
    const account =
      (await findAccountByName(database.read, "ada")) ?? (await makeAccount(database, "ada", PASSWORD));
    return { server, database, ...(await ownerOf(server, database, account)) };
  };
  seedDatabase(urlOf("full"));
  const full = await owned("full");
  await fillSite(full);
  const hostile = await owned("hostile", { COMMENTS: "moderated" });
  await fillHostileSite(hostile);
  const unowned = await start("new", {});
  return {
    new: { ...unowned, cookie: undefined, send: sendTo(unowned.server.url) },
    empty: await owned("empty"),
    full,
    readable: await owned("full", { BOOKMARKS_ACCESS: "read" }),
    hostile,
  };
}

/** The password of accounts that the seed does not create. */
const PASSWORD = "slow fruit keeps";

async function ownerOf(server: RunningServer, database: Database, account: Account) {
  const cookie = await makeSession(database, account);
  const send = withToken(sendTo(server.url), await makeToken(database, account));
  await database.write((sql) => sql`update tokens set name = 'Backup at night' where name = 'test'`);
  return { cookie, send };
}
