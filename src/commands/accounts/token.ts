import { Command, InvalidArgumentError } from "commander";
import { revokeToken, revokeTokens } from "../../accounts/keys.ts";
import { assistantScopes, CHOSEN_SCOPES, SCOPES, type Scope, withReading } from "../../accounts/scope.ts";
import { hashOfSecret, keyOf, newSecret } from "../../accounts/tokens/token.ts";
import { insertToken, listTokens } from "../../accounts/tokens/token-store.ts";
import { StartError } from "../../errors.ts";
import { printableJson } from "../../printable.ts";
import { print } from "../terminal/print.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { accountNamed } from "./account-named.ts";
import { expiryOf } from "./expiry.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
}

interface RevokeFlags extends Flags {
  readonly account?: string;
  readonly all?: boolean;
}

interface CreateFlags extends Flags {
  readonly name: string;
  readonly expires: string;
  readonly scope?: ReadonlySet<Scope>;
}

/** `commonplace token`: tokens for programs. */
export function tokenCommand(): Command {
  const command = new Command("token").description("Create, list and revoke tokens.");

  command
    .command("create <account>")
    .description("Create a token and print it. It is not shown again.")
    .option("--name <name>", "the name of the token", "command line")
    .option("--expires <time>", "lifetime, such as 90d, or never", "90d")
    .option(
      "--scope <scope>",
      `a scope; repeat for more (${SCOPES.join(", ")}; default: all; write includes read; for an assistant mcp:bookmarks:read and so on)`,
      addScope,
    )
    .addOption(databaseOption())
    .action(createToken);

  command
    .command("list <account>")
    .description("List the tokens of an account.")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(listAll);

  command
    .command("revoke [id]")
    .description("Revoke a token, or all tokens of an account, effective at once.")
    .option("--account <name>", "the account whose tokens are revoked, with --all")
    .option("--all", "revoke all tokens of the account")
    .addOption(databaseOption())
    .action(async (id: string | undefined, flags: RevokeFlags, self: Command) => {
      const isOfAccount = flags.account !== undefined && flags.all === true;
      if ((id === undefined) !== isOfAccount || (id !== undefined && (flags.account ?? flags.all)))
        self.error("error: name a token by its id, or all tokens of an account with --account NAME --all");
      if (id === undefined) return revokeAll(flags.account ?? "", flags);
      const revoked = /^\d{1,15}$/.test(id)
        ? await withDatabase(flags, (database) => database.write((sql) => revokeToken(sql, Number(id))))
        : false;
      if (!revoked) throw new StartError(`No token ${id}.`, 1);
      console.log(`Token ${id} is revoked.`);
    });

  return command;
}

async function revokeAll(accountName: string, flags: Flags): Promise<void> {
  const revoked = await withDatabase(flags, (database) =>
    database.write(async (sql) => revokeTokens(sql, (await accountNamed(sql, accountName)).id)),
  );
  console.log(`The tokens of ${accountName} are revoked (${revoked}).`);
}

async function createToken(accountName: string, flags: CreateFlags): Promise<void> {
  const now = new Date();
  const expiresAt = expiryOf(flags.expires, now);
  const scopes = withReading(flags.scope ?? SCOPES);
  const forAssistant = assistantScopes(scopes).length;
  if (forAssistant > 0 && forAssistant < scopes.length)
    throw new StartError("Scopes for an assistant, mcp:…, go with no others.", 2);
  const secret = newSecret();
  const token = { name: flags.name, secretHash: hashOfSecret(secret), scopes, expiresAt };
  const id = await withDatabase(flags, (database) =>
    database.write(async (sql) => insertToken(sql, await accountNamed(sql, accountName), token, now)),
  );
  if (id === undefined)
    throw new StartError(`Cannot create a token: the account ${accountName} is disabled.`, 1);
  await print(keyOf(id, secret), `Token ${id} was created, but it is lost: revoke it.`);
}

async function listAll(accountName: string, flags: Flags): Promise<void> {
  const tokens = await withDatabase(flags, async ({ read }) =>
    listTokens(read, (await accountNamed(read, accountName)).id),
  );
  const rows = tokens.map((token) => ({
    id: token.id,
    name: token.name,
    scopes: token.scopes.join(" "),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }));
  await print(flags.json ? printableJson(rows) : tableText(rows));
}

/** @throws InvalidArgumentError for an unknown scope */
function addScope(word: string, scopes: ReadonlySet<Scope> = new Set()): ReadonlySet<Scope> {
  const scope = CHOSEN_SCOPES.find((known) => known === word);
  if (scope === undefined) throw new InvalidArgumentError(`The scopes are ${CHOSEN_SCOPES.join(", ")}.`);
  return new Set([...scopes, scope]);
}
