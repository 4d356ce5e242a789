import { usernameKey } from "../accounts/account.ts";
import { SCOPES } from "../accounts/scope.ts";
import type { Sql } from "../database/database.ts";
import type { Inspection } from "../database/inspection.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { contentProblems } from "./content-check.ts";
import type { RecordCount, RecordProblem } from "./engine-check.ts";
import { type Finding, problemsOr } from "./finding.ts";

/** The years that RFC 3339 can represent. */
const FIRST = new Date(0);
const LAST = new Date("9999-12-31T23:59:59.999Z");

/** Checks rules on rows beyond the constraints of the schema. */
export async function checkRecords(inspection: Inspection): Promise<Finding[]> {
  const { sql, engine } = inspection;
  const counts = [
    ...(await bookmarkProblems(sql)),
    ...(await postProblems(sql)),
    ...(await mediaProblems(sql)),
    ...(await importProblems(sql)),
    ...(await idempotencyProblems(sql)),
    ...(await accountProblems(sql)),
    ...(await checksByEngine[engine].records(inspection)),
  ];
  const problems = counts
    .filter(([, [count]]) => Number(count?.n) > 0)
    .map(([what, [count]]) => `${count?.n} ${what}, such as ${count?.example}`);
  problems.push(...(await nameProblems(sql)), ...(await scopeProblems(sql)));
  problems.push(...(await contentProblems(inspection)));
  return problemsOr("records", problems, "all rows are valid");
}

async function bookmarkProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "bookmarks with an id or version below 1, or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from bookmarks where id < 1 or version < 1
        or created_at < ${FIRST} or created_at > ${LAST} or updated_at < ${FIRST} or updated_at > ${LAST}`,
    ],
    [
      "bookmarks whose URL is not http or https",
      await sql<RecordCount>`select count(*) as n, min(id) as example from bookmarks
        where url not like 'http://_%' and url not like 'https://_%'`,
    ],
  ];
}

async function postProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "posts with an id or version below 1, or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from posts where id < 1 or version < 1
        or created_at < ${FIRST} or created_at > ${LAST} or updated_at < ${FIRST} or updated_at > ${LAST}`,
    ],
    [
      "published posts without a date of publication",
      await sql<RecordCount>`select count(*) as n, min(id) as example from posts
        where published = ${true} and published_at is null`,
    ],
    [
      "comments with an id below 1 or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from comments
        where id < 1 or created_at < ${FIRST} or created_at > ${LAST}`,
    ],
  ];
}

async function mediaProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "images whose bytes are nowhere",
      await sql<RecordCount>`select count(*) as n, min(sha) as example from media_forms
        where bytes is null and object is null`,
    ],
  ];
}

async function importProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "imports with incomplete rows (no bookmark, or no earlier contents)",
      await sql<RecordCount>`select count(distinct import_id) as n, min(import_id) as example from import_rows
        where folders is not null and (position < 1 or line < 1
          or (outcome in ('added', 'updated') and (record_id is null or record_version is null))
          or (outcome = 'updated' and before is null))`,
    ],
  ];
}

async function idempotencyProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "stored responses that are not 2xx or have no request hash",
      await sql<RecordCount>`select count(*) as n, min(path) as example from idempotency_keys
        where status < 200 or status > 299 or length(body_sha256) <> 64`,
    ],
  ];
}

async function accountProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "accounts without a password hash",
      await sql<RecordCount>`select count(*) as n, min(username) as example from accounts
        where password_hash not like '$argon2id$%'`,
    ],
    [
      "tokens without a key hash",
      await sql<RecordCount>`select count(*) as n, min(id) as example from tokens where length(secret_sha256) <> 64`,
    ],
    [
      "sessions without a cookie hash",
      await sql<RecordCount>`select count(*) as n, min(account_id) as example from sessions where length(key_sha256) <> 64`,
    ],
  ];
}

async function nameProblems(sql: Sql): Promise<string[]> {
  const accounts = await sql<{
    username: string;
    username_key: string;
  }>`select username, username_key from accounts`;
  return accounts
    .filter(({ username, username_key }) => usernameKey(username) !== username_key)
    .map(({ username }) => `the account ${username} has a wrong lookup key`);
}

async function scopeProblems(sql: Sql): Promise<string[]> {
  const rows = await sql<{ scopes: string }>`select distinct scopes from tokens`;
  const known = new Set<string>(SCOPES);
  const words = new Set(rows.flatMap(({ scopes }) => scopes.split(" ")).filter((word) => word !== ""));
  return [...words].filter((word) => !known.has(word)).map((word) => `tokens have the unknown scope ${word}`);
}
