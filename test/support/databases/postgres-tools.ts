/**
 * Replaces the programs that the embedded PostgreSQL lacks: `psql` as far as docs/operations.md uses it, and
 * `pg_basebackup` through PostgreSQL's documented low-level API.
 *
 * Arguments: the program's name and its arguments. DATA is the cluster's folder.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";

const { PGPORT = "", DATA = "" } = process.env;
const [name = "", ...words] = process.argv.slice(2);

if (name === "psql") await psql();
else if (name === "pg_basebackup") await baseBackup();
else throw new Error(`no stand-in for ${name}`);

async function psql(): Promise<void> {
  const at = words.findIndex((word) => /^-\w*c$/.test(word));
  const database = words.find((word, index) => !word.startsWith("-") && index !== at + 1) ?? "postgres";
  await using sql = connect(database);
  const rows = (await sql.unsafe(words[at + 1] ?? "").values()) as unknown[][];
  for (const row of rows)
    console.log(row.map((value) => (typeof value === "boolean" ? (value ? "t" : "f") : value)).join("|"));
}

async function baseBackup(): Promise<void> {
  const target = words.find((word) => word.startsWith("--pgdata="))?.slice("--pgdata=".length) ?? "";
  await using sql = connect("postgres");
  await sql`select pg_backup_start('drill', true)`;
  cpSync(DATA, target, { recursive: true, preserveTimestamps: true });
  const [label] = await sql`select labelfile from pg_backup_stop(true)`;
  writeFileSync(join(target, "backup_label"), label?.labelfile);
  for (const file of ["postmaster.pid", "postmaster.opts"]) rmSync(join(target, file), { force: true });
}

function connect(database: string): SQL {
  return new SQL({ url: `postgres://postgres@127.0.0.1:${PGPORT}/${database}`, max: 1 });
}
