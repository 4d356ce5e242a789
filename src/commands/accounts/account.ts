import { Command } from "commander";
import { type Account, usernameError } from "../../accounts/account.ts";
import {
  changePassword,
  deleteAccount,
  findAccountByName,
  insertAccount,
  listAccounts,
  setDisabled,
} from "../../accounts/account-store.ts";
import { hashPassword } from "../../accounts/sign-in/password.ts";
import type { Database, Sql } from "../../database/database.ts";
import { StartError } from "../../errors.ts";
import { printableJson } from "../../printable.ts";
import { askPassword } from "../terminal/ask-password.ts";
import { print } from "../terminal/print.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { accountNamed } from "./account-named.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
}

/** `commonplace account`: manages accounts. */
export function accountCommand(): Command {
  const command = new Command("account").description("Manage accounts.");

  command
    .command("add <name>")
    .description("Create an account. Prompts for the password, or reads it from standard input.")
    .addOption(databaseOption())
    .action((name: string, flags: Flags) => addAccount(name, flags));

  command
    .command("list")
    .description("List the accounts.")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(listAll);

  command
    .command("password <name>")
    .description("Change the password of an account and end its sessions.")
    .addOption(databaseOption())
    .action(changeThePassword);

  command
    .command("disable <name>")
    .description("Disable an account. Its tokens and sessions stop working at once.")
    .addOption(databaseOption())
    .action(async (name: string, flags: Flags) => {
      await change(name, flags, (sql, { id }) => setDisabled(sql, id, true, new Date()));
      console.log(`${name} is disabled.`);
    });

  command
    .command("enable <name>")
    .description("Enable a disabled account. Its tokens work again; its sessions do not.")
    .addOption(databaseOption())
    .action(async (name: string, flags: Flags) => {
      await change(name, flags, (sql, { id }) => setDisabled(sql, id, false, new Date()));
      console.log(`${name} may sign in again.`);
    });

  command
    .command("remove <name>")
    .description("Delete an account, its tokens and its sessions. Its bookmarks and posts stay.")
    .addOption(databaseOption())
    .action(async (name: string, flags: Flags) => {
      await change(name, flags, (sql, { id }) => deleteAccount(sql, id));
      console.log(`${name} is removed.`);
    });

  return command;
}

async function addAccount(name: string, flags: Flags): Promise<void> {
  const error = usernameError(name);
  if (error !== undefined) throw new StartError(error, 2);
  // Only adding an account may create the database; every other command needs an existing one.
  await withDatabase(flags, (database) => addTo(database, name), { create: true });
}

async function addTo(database: Database, name: string): Promise<void> {
  if ((await findAccountByName(database.read, name)) !== undefined) throw nameTaken(name);
  const passwordHash = await hashPassword(await askPassword());
  const account = await database.write((sql) => insertAccount(sql, name, passwordHash, new Date()));
  if (account === undefined) throw nameTaken(name);
  console.log(
    `Account ${name} created in ${database.location}. Sign in at POST /api/token/ or /api/session/.`,
  );
}

async function listAll(flags: Flags): Promise<void> {
  const accounts = await withDatabase(flags, async ({ read }) => listAccounts(read));
  const rows = accounts.map(({ id, username, createdAt, disabled }) => ({
    id,
    username,
    created_at: createdAt.toISOString(),
    disabled,
  }));
  await print(flags.json ? printableJson(rows) : tableText(rows));
}

async function changeThePassword(name: string, flags: Flags): Promise<void> {
  await withDatabase(flags, async (database) => {
    const { id } = await accountNamed(database.read, name);
    const passwordHash = await hashPassword(await askPassword());
    await database.write((sql) => changePassword(sql, id, passwordHash, new Date()));
  });
  console.log(`The password of ${name} is changed, and its sessions have ended.`);
}

async function change(
  name: string,
  flags: Flags,
  work: (sql: Sql, account: Account) => Promise<void>,
): Promise<void> {
  await withDatabase(flags, (database) =>
    database.write(async (sql) => work(sql, await accountNamed(sql, name))),
  );
}

function nameTaken(name: string): StartError {
  return new StartError(`An account with this name already exists: ${name}.`, 1);
}
