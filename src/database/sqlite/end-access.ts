import type { DatabaseSync } from "node:sqlite";

/** What let somebody in, and the records that are deleted for it. */
const ACCESS = {
  sessions: ["sessions"],
  tokens: ["tokens", "authorization_codes"],
  // Shared lists, private feeds, previews and the keys of websites.
  addresses: ["keys", "welcome_links"],
} as const;

/** What a restored database lets in no more, and what only its owner can decide. */
export interface EndedAccess {
  /** How many of each kind were ended. */
  readonly ended: Readonly<Record<keyof typeof ACCESS, number>>;
  /** Accounts that differ from the replaced database; undefined where none was replaced, or it cannot be read. */
  readonly accounts: ChangedAccounts | undefined;
}

/** The names of accounts by what was done to them after the backup, which is undone by it. */
export interface ChangedAccounts {
  /** They have another password, maybe one that somebody else knows. */
  readonly password: readonly string[];
  readonly disabled: readonly string[];
  readonly enabled: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Ends everything that lets somebody in without a password, and compares the accounts.
 * @param staged the backup, in a transaction; may have the schema of an earlier version
 * @param present the database that it replaces
 */
export function endAccess(staged: DatabaseSync, present: DatabaseSync | undefined): EndedAccess {
  const accounts = present && compareAccounts(staged, present);
  const count = (tables: readonly string[]) =>
    tables.reduce((sum, table) => sum + Number(staged.prepare(`delete from ${table}`).run().changes), 0);
  const ended = {
    sessions: count(ACCESS.sessions),
    tokens: count(ACCESS.tokens),
    addresses: count(ACCESS.addresses),
  };
  return { ended, accounts };
}

interface Account {
  readonly name: string;
  readonly password: string;
  readonly isDisabled: boolean;
}

function compareAccounts(staged: DatabaseSync, present: DatabaseSync): ChangedAccounts | undefined {
  const before = accountsOf(staged);
  const now = unlessUnreadable(() => accountsOf(present));
  if (now === undefined) return undefined;
  const both = [...before].flatMap(([id, old]) => {
    const current = now.get(id);
    return current === undefined ? [] : [{ old, current }];
  });
  const namesOf = (accounts: readonly { readonly old: Account }[]) => accounts.map(({ old }) => old.name);
  return {
    password: namesOf(both.filter(({ old, current }) => old.password !== current.password)),
    disabled: namesOf(both.filter(({ old, current }) => !old.isDisabled && current.isDisabled)),
    enabled: namesOf(both.filter(({ old, current }) => old.isDisabled && !current.isDisabled)),
    removed: [...before].filter(([id]) => !now.has(id)).map(([, { name }]) => name),
    added: [...now].filter(([id]) => !before.has(id)).map(([, { name }]) => name),
  };
}

function accountsOf(connection: DatabaseSync): Map<number, Account> {
  const rows = connection
    .prepare("select id, username, password_hash, disabled_at from accounts order by id")
    .all();
  return new Map(
    rows.map(({ id, username, password_hash, disabled_at }) => [
      Number(id),
      { name: String(username), password: String(password_hash), isDisabled: disabled_at !== null },
    ]),
  );
}

/** The database that is replaced may be damaged, or of another schema. */
function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
