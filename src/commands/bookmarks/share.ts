import { Command } from "commander";
import { SHARE_TITLE_MAX, SharedQuery } from "../../bookmarks/shares/share.ts";
import { createShare, deleteShare, listShares } from "../../bookmarks/shares/share-store.ts";
import { readSetting } from "../../config/read-config.ts";
import { StartError } from "../../errors.ts";
import { printableJson } from "../../printable.ts";
import { textErrors } from "../../text.ts";
import { accountNamed } from "../accounts/account-named.ts";
import { expiryOf } from "../accounts/expiry.ts";
import { baseUrl } from "../server/welcome-text.ts";
import { print } from "../terminal/print.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
}

interface CreateFlags extends Flags {
  readonly title: string;
  readonly notes?: boolean;
  readonly expires: string;
}

/** `commonplace share`: lists of bookmarks at secret addresses. */
export function shareCommand(): Command {
  const command = new Command("share").description(
    "Share the results of a search with a secret link, list shared lists, and stop sharing.",
  );

  command
    .command("create <account> <search>")
    .description("Share a list and print its link. It is not shown again.")
    .requiredOption("--title <title>", "the heading that readers see")
    .option("--notes", "show the notes, too")
    .option("--expires <time>", "how long it is shared, such as 7d, or never", "never")
    .addOption(databaseOption())
    .action(create);

  command
    .command("list <account>")
    .description("List the shared lists of an account.")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(listAll);

  command
    .command("stop <id>")
    .description("Stop sharing a list, effective at once.")
    .addOption(databaseOption())
    .action(async (id: string, flags: Flags) => {
      const stopped = /^\d{1,15}$/.test(id)
        ? await withDatabase(flags, (database) =>
            database.write((sql) => deleteShare(sql, Number(id), new Date())),
          )
        : false;
      if (!stopped) throw new StartError(`No shared list ${id}.`, 1);
      console.log(`The list ${id} is no longer shared.`);
    });

  return command;
}

async function create(
  accountName: string,
  query: string,
  { title, notes = false, expires, ...flags }: CreateFlags,
): Promise<void> {
  if (readSetting("web", process.env) === "off")
    throw new StartError("WEB is off: there is no page at which a list could be read.", 1);
  const [error] = textErrors(title, { min: 1, max: SHARE_TITLE_MAX });
  if (error !== undefined) throw new StartError(`--title: ${error.detail}`, 2);
  const parsed = SharedQuery.safeParse(query);
  if (!parsed.success) throw new StartError(`The search: ${parsed.error.issues[0]?.message}`, 2);
  const now = new Date();
  const wanted = { query, title, withNotes: notes, expiresAt: expiryOf(expires, now) };
  const { share, secret } = await withDatabase(flags, (database) =>
    database.write(async (sql) => {
      const { id, disabled } = await accountNamed(sql, accountName);
      if (disabled) throw new StartError(`Cannot share a list: the account ${accountName} is disabled.`, 1);
      return createShare(sql, wanted, id, now);
    }),
  );
  const base =
    readSetting("publicUrl", process.env) ??
    baseUrl(readSetting("host", process.env), readSetting("port", process.env));
  await print(
    `${base}/shared/${secret}`,
    `The list ${share.id} is shared, but its address is lost: stop it.`,
  );
}

async function listAll(accountName: string, flags: Flags): Promise<void> {
  const shares = await withDatabase(flags, async ({ read }) =>
    listShares(read, (await accountNamed(read, accountName)).id, new Date()),
  );
  const rows = shares.map(({ id, query, title, withNotes, createdAt, expiresAt }) => ({
    id,
    q: query,
    title,
    notes: withNotes,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  }));
  await print(flags.json ? printableJson(rows) : tableText(rows));
}
