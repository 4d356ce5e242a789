import type { Account } from "../../accounts/account.ts";
import { findAccountByName } from "../../accounts/account-store.ts";
import type { Sql } from "../../database/database.ts";
import { StartError } from "../../errors.ts";

/** Looks up an account by the name on the command line. @throws StartError when there is none */
export async function accountNamed(sql: Sql, name: string): Promise<Account> {
  const account = await findAccountByName(sql, name);
  if (account === undefined) throw new StartError(`No account ${name}.`, 1);
  return account;
}
