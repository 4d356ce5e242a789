import { Refusal, StartError } from "../errors.ts";
import { VERSION } from "../version.ts";
import type { Sql } from "./database.ts";
import { MOVED_TO, refuseMoved } from "./moved.ts";

/** One step of the schema's history: a SQL script with a number, applied once and never changed. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly script: string;
}

/** A migration as the database has recorded it. */
export type Applied = Pick<Migration, "number" | "name">;

/** The operations of an engine that migrations need. The caller holds the engine's migration lock throughout. */
export interface Migratable {
  /** The migrations that were applied; empty for a new database. */
  applied(): Promise<Applied[]>;
  /** The value of a row of `meta`. */
  meta(name: string): Promise<string | undefined>;
  /** Runs a script and records it as applied. */
  apply(migration: Migration): Promise<void>;
}

/**
 * Brings a schema up to date. A database that a newer version has migrated further is accepted, unless it
 * records that it needs a newer program: so processes of two versions can share a database during a rolling
 * upgrade.
 *
 * @throws StartError when the database needs a newer program, was moved away, or has another program's migration
 *   under one of these numbers, before anything is changed.
 */
export async function migrate(database: Migratable, migrations: readonly Migration[]): Promise<void> {
  const recorded = await database.applied();
  const applied = new Set(recorded.map(({ number }) => number));
  if (applied.size > 0) {
    await refuseOlderProgram(database);
    await refuseMoved((name) => database.meta(name));
    refuseOtherHistory(recorded, migrations);
  }
  for (const migration of migrations) {
    if (!applied.has(migration.number)) await database.apply(migration);
  }
}

/**
 * Checks that this program supports the schema: it has every migration that the program knows, needs no newer
 * program, and its contents were not moved away.
 *
 * @throws Refusal `unavailable`
 */
export async function checkSchema(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  const detail = await whyUnusable(sql, migrations).catch((cause) => {
    throw cause instanceof Refusal ? cause : unusable(OF_OTHER_VERSION, cause);
  });
  if (detail !== undefined) throw unusable(detail);
}

/** @returns the detail of the refusal; undefined for a database that can be used */
async function whyUnusable(sql: Sql, migrations: readonly Migration[]): Promise<string | undefined> {
  const applied = await sql<Applied>`select number, name from migrations`;
  const meta = await sql<{ name: string; value: string }>`
    select name, value from meta where name in ('oldest_program', ${MOVED_TO})`;
  const oldest = meta.find(({ name }) => name === "oldest_program");
  const names = new Map(applied.map(({ number, name }) => [Number(number), name]));
  if (meta.some(({ name }) => name === MOVED_TO)) return MOVED;
  const isCurrent =
    migrations.every(({ number, name }) => names.get(number) === name) &&
    oldest !== undefined &&
    !isOlderThan(oldest.value);
  return isCurrent ? undefined : OF_OTHER_VERSION;
}

const OF_OTHER_VERSION = "This version of Commonplace cannot use the database.";
const MOVED = "The database was moved: start the server with the new one.";

function unusable(detail: string, cause?: unknown): Refusal {
  return new Refusal("unavailable", detail, { retryAfter: 30, cause });
}

/** Whether this program is older than a version of it. */
export function isOlderThan(version: string): boolean {
  return Bun.semver.order(VERSION, version) < 0;
}

async function refuseOlderProgram(database: Migratable): Promise<void> {
  const oldest = await database.meta("oldest_program");
  if (oldest !== undefined && isOlderThan(oldest))
    throw new StartError(`The database needs commonplace ${oldest} or later; this is ${VERSION}.`, 2);
}

/** A number with another name: the schema belongs to a diverged program, and lacks our migration. */
function refuseOtherHistory(recorded: readonly Applied[], migrations: readonly Migration[]): void {
  const names = new Map(migrations.map(({ number, name }) => [number, name]));
  const other = recorded.find(({ number, name }) => (names.get(number) ?? name) !== name);
  if (other === undefined) return;
  const ours = names.get(other.number);
  throw new StartError(
    `The database has another history: migration ${other.number} is "${other.name}" there, and "${ours}" here.`,
    2,
  );
}
