import { Command } from "commander";
import { newContentKey } from "../../accounts/content-keys/content-key.ts";
import {
  deleteContentKey,
  insertContentKey,
  listContentKeys,
} from "../../accounts/content-keys/content-key-store.ts";
import { StartError } from "../../errors.ts";
import { printableJson } from "../../printable.ts";
import { print } from "../terminal/print.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { accountNamed } from "./account-named.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
}

/** `commonplace content-key`: keys of websites that read the published posts. */
export function contentKeyCommand(): Command {
  const command = new Command("content-key").description(
    "Create, list and revoke Content API keys, with which websites read the published posts (Ghost's Content API).",
  );

  command
    .command("create <account>")
    .description("Create a Content API key and print it. It is not shown again.")
    .option("--name <name>", "a name for the key, such as its website", "command line")
    .addOption(databaseOption())
    .action(createKey);

  command
    .command("list <account>")
    .description("List the Content API keys of an account.")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(listAll);

  command
    .command("revoke <id>")
    .description("Revoke a Content API key, effective at once.")
    .addOption(databaseOption())
    .action(async (id: string, flags: Flags) => {
      const revoked = /^\d{1,15}$/.test(id)
        ? await withDatabase(flags, (database) => database.write((sql) => deleteContentKey(sql, Number(id))))
        : false;
      if (!revoked) throw new StartError(`No Content API key ${id}.`, 1);
      console.log(`Content API key ${id} is revoked.`);
    });

  return command;
}

async function createKey(
  accountName: string,
  { name, ...flags }: Flags & { readonly name: string },
): Promise<void> {
  const key = newContentKey();
  const inserted = await withDatabase(flags, (database) =>
    database.write(async (sql) => {
      const { id } = await accountNamed(sql, accountName);
      return insertContentKey(sql, id, { name, key }, new Date());
    }),
  );
  if (inserted === undefined)
    throw new StartError(`Cannot create a Content API key: the account ${accountName} is disabled.`, 1);
  await print(key, `Content API key ${inserted.id} was created, but it is lost: revoke it.`);
}

async function listAll(accountName: string, flags: Flags): Promise<void> {
  const keys = await withDatabase(flags, async ({ read }) =>
    listContentKeys(read, (await accountNamed(read, accountName)).id),
  );
  const rows = keys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }));
  await print(flags.json ? printableJson(rows) : tableText(rows));
}
