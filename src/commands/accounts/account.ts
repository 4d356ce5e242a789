import { Command } from "commander";
import { type Account, DISPLAY_NAME_MAX, usernameError } from "../../accounts/account.ts";
import {
  findAccountByName,
  insertAccount,
  listAccounts,
  removeAccount,
  resetPassword,
  setDisabled,
  setDisplayName,
} from "../../accounts/account-store.ts";
import { countKeys, endKeys } from "../../accounts/keys.ts";
import { hashPassword } from "../../accounts/sign-in/password.ts";
import type { Database, Sql } from "../../database/database.ts";
import { StartError } from "../../errors.ts";
import { indexPostsOfAccount } from "../../posts/indexed-posts.ts";
import { printableJson } from "../../printable.ts";
import { textErrors } from "../../text.ts";
import { askPassword } from "../terminal/ask-password.ts";
import { print } from "../terminal/print.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { accountNamed } from "./account-named.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
}

interface AddFlags extends Flags {
  readonly displayName?: string;
}

/** `commonplace account`: manages accounts. */
export function accountCommand(): Command {
  const command = new Command("account").description("Manage accounts.");

  command
    .command("add <name>")
    .description("Create an account. Prompts for the password, or reads it from standard input.")
    .option("--display-name <text>", "the name that readers see instead of the username")
    .addOption(databaseOption())
    .action((name: string, flags: AddFlags) => addAccount(name, flags));

  command
    .command("display-name <name> <text>")
    .description(
      "Change the name that readers see with the posts and comments of an account. An empty text resets it.",
    )
    .addOption(databaseOption())
    .action(async (name: string, text: string, flags: Flags) => {
      const displayName = checkedDisplayName(text);
      await change(name, flags, async (sql, { id }) => {
        await setDisplayName(sql, id, displayName, new Date());
        await indexPostsOfAccount(sql, id);
      });
      console.log(`Readers see ${displayName ?? name}.`);
    });

  command
    .command("list")
    .description("List the accounts.")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(listAll);

  command
    .command("password <name>")
    .description("Change the password of an account and end its sessions.")
    .option("--revoke-tokens", "revoke its tokens and other secrets, too, as after a leak")
    .addOption(databaseOption())
    .action(changeThePassword);

  command
    .command("disable <name>")
    .description(
      "Disable an account. Its tokens and other secrets stop working at once, and its sessions end.",
    )
    .addOption(databaseOption())
    .action(async (name: string, flags: Flags) => {
      const keys = await change(name, flags, async (sql, { id }) => {
        await setDisabled(sql, id, true, new Date());
        return countKeys(sql, id);
      });
      console.log(`${name} is disabled, and ${keysText(keys)}.`);
    });

  command
    .command("enable <name>")
    .description("Enable a disabled account. Its tokens and other secrets work again; its sessions do not.")
    .addOption(databaseOption())
    .action(async (name: string, flags: Flags) => {
      await change(name, flags, (sql, { id }) => setDisabled(sql, id, false, new Date()));
      console.log(`${name} may sign in again.`);
    });

  command
    .command("remove <name>")
    .description("Delete an account, its tokens, other secrets and sessions. Its bookmarks and posts stay.")
    .option("--force", "even if nobody else could sign in")
    .addOption(databaseOption())
    .action(async (name: string, flags: Flags & { readonly force?: boolean }) => {
      const keys = await change(name, flags, async (sql, { id }) => {
        const ended = await countKeys(sql, id);
        if (!(await removeAccount(sql, id, new Date(), flags.force ? "always" : "never")))
          throw onlyAccount(name);
        await indexPostsOfAccount(sql, id);
        return ended;
      });
      console.log(`${name} is deleted, and ${keysText(keys)}.`);
    });

  return command;
}

async function addAccount(name: string, flags: AddFlags): Promise<void> {
  const error = usernameError(name);
  if (error !== undefined) throw new StartError(error, 2);
  // Only adding an account may create the database; every other command needs an existing one.
  const displayName = checkedDisplayName(flags.displayName ?? "");
  await withDatabase(flags, (database) => addTo(database, name, displayName), { create: true });
}

async function addTo(database: Database, name: string, displayName: string | null): Promise<void> {
  if ((await findAccountByName(database.read, name)) !== undefined) throw nameTaken(name);
  const passwordHash = await hashPassword(await askPassword());
  const now = new Date();
  const account = await database.write(async (sql) => {
    const added = await insertAccount(sql, name, passwordHash, now);
    if (added !== undefined) await setDisplayName(sql, added.id, displayName, now);
    return added;
  });
  if (account === undefined) throw nameTaken(name);
  console.log(
    `Account ${name} created in ${database.location}. Sign in at POST /api/token/ or /api/session/.`,
  );
}

async function listAll(flags: Flags): Promise<void> {
  const accounts = await withDatabase(flags, async ({ read }) => listAccounts(read));
  const rows = accounts.map(({ id, username, displayName, createdAt, disabled }) => ({
    id,
    username,
    display_name: displayName,
    created_at: createdAt.toISOString(),
    disabled,
  }));
  await print(flags.json ? printableJson(rows) : tableText(rows));
}

async function changeThePassword(
  name: string,
  { revokeTokens, ...flags }: Flags & { readonly revokeTokens?: boolean },
): Promise<void> {
  const revoked = await withDatabase(flags, async (database) => {
    const { id } = await accountNamed(database.read, name);
    const passwordHash = await hashPassword(await askPassword());
    return database.write(async (sql) => {
      await resetPassword(sql, id, passwordHash, new Date());
      if (!revokeTokens) return undefined;
      const keys = await countKeys(sql, id);
      await endKeys(sql, id);
      return keys;
    });
  });
  const keys = revoked === undefined ? "" : `, and ${keysText(revoked)}`;
  console.log(`The password of ${name} is changed, and its sessions have ended${keys}.`);
}

function keysText(count: number): string {
  return count === 1
    ? "its 1 token or other secret no longer works"
    : `its ${count} tokens and other secrets no longer work`;
}

async function change<T>(
  name: string,
  flags: Flags,
  work: (sql: Sql, account: Account) => Promise<T>,
): Promise<T> {
  return withDatabase(flags, (database) =>
    database.write(async (sql) => work(sql, await accountNamed(sql, name))),
  );
}

/** @returns null for an empty one. @throws StartError */
function checkedDisplayName(text: string): string | null {
  const name = text.trim();
  const [error] = textErrors(name, { max: DISPLAY_NAME_MAX });
  if (error !== undefined) throw new StartError(`--display-name: ${error.detail}`, 2);
  return name === "" ? null : name;
}

function onlyAccount(name: string): StartError {
  return new StartError(`${name} is the only account that can sign in. To remove it anyway, add --force.`, 1);
}

function nameTaken(name: string): StartError {
  return new StartError(`An account with this name already exists: ${name}.`, 1);
}
