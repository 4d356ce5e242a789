import { Command } from "commander";
import { newContentKey } from "../../accounts/content-keys/content-key.ts";
import { createKey, deleteKey, listKeys } from "../../accounts/keys.ts";
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
    .action(create);

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
        ? await withDatabase(flags, (database) =>
            database.write((sql) => deleteKey(sql, "website", Number(id), new Date())),
          )
        : false;
      if (!revoked) throw new StartError(`No Content API key ${id}.`, 1);
      console.log(`Content API key ${id} is revoked.`);
    });

  return command;
}

async function create(
  accountName: string,
  { name, ...flags }: Flags & { readonly name: string },
): Promise<void> {
  const secret = newContentKey();
  const created = await withDatabase(flags, (database) =>
    database.write(async (sql) => {
      const { id, disabled } = await accountNamed(sql, accountName);
      if (disabled)
        throw new StartError(`Cannot create a Content API key: the account ${accountName} is disabled.`, 1);
      return createKey(sql, "website", id, { secret, name }, new Date());
    }),
  );
  await print(secret, `Content API key ${created.id} was created, but it is lost: revoke it.`);
}

async function listAll(accountName: string, flags: Flags): Promise<void> {
  const keys = await withDatabase(flags, async ({ read }) =>
    listKeys(read, "website", (await accountNamed(read, accountName)).id, new Date()),
  );
  const rows = keys.toReversed().map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }));
  await print(flags.json ? printableJson(rows) : tableText(rows));
}
