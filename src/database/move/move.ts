import { randomBytes } from "node:crypto";
import { StartError } from "../../errors.ts";
import { ABANDONED } from "../abandoned-pages.ts";
import { MOVED_TO } from "../moved.ts";
import { findSchema } from "../schema/schema.ts";
import type { DatabaseEndpoint, Source, Target } from "./endpoint.ts";
import { locationOf, makeTarget, openSource } from "./ends.ts";
import { type Contents, contentsOf, copyTable, type OnRows } from "./rows.ts";
import { pairUp, quoted, type TablePair } from "./table.ts";

/** What was moved. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly MovedTable[];
}

export interface MovedTable extends Contents {
  readonly name: string;
}

export interface MoveOptions {
  /** Progress in rows. Each row counts three times: copied, and compared at both ends. */
  onProgress?(step: "Copying" | "Comparing", done: number, total: number): void;
  /** Called when everything is copied and compared; the rest should not be interrupted. */
  onFinishing?(): void;
}

/**
 * Moves a whole database to an empty one on either engine, compares the two, and seals the source, so that no server uses
 * it any more.
 *
 * When interrupted, it leaves the target empty and the source in use. Between the commits of the two databases, which
 * cannot be one, it leaves the source sealed and the target empty: then run it again.
 *
 * @throws StartError, which says whether anything was moved
 */
export async function moveDatabase(from: string, to: string, options: MoveOptions = {}): Promise<Moved> {
  let isSealed = false;
  try {
    await using source = await openSource(from);
    await refuseOtherSchema(source);
    isSealed = await isSealedFor(source, locationOf(to));
    await using target = await makeTarget(to);
    const pairs = pairUp(await source.tables(), await target.tables());
    const tables = await copy(source, target, pairs, options);
    options.onFinishing?.();
    await target.finish();
    if (!isSealed) {
      await insertMeta(source, MOVED_TO, target.location);
      // Last, since it may keep readers waiting until the commit.
      await source.seal();
      await source.commit();
      isSealed = true;
    }
    await target.publish();
    return { from: source.location, to: target.location, tables };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const state = isSealed
      ? `${locationOf(from)} is sealed: unless the new database is there already, run the move again.`
      : "Nothing was moved.";
    throw new StartError(`${error.message} ${state}`, error.exitCode, error);
  }
}

/**
 * Unseals the source of an earlier move. It gets a new epoch, as after a restore: writes confirmed since the move are
 * not in it.
 *
 * @returns its location
 * @throws StartError when it was not moved
 */
export async function reopenDatabase(url: string): Promise<string> {
  await using source = await openSource(url);
  if ((await metaOf(source, MOVED_TO)) === undefined)
    throw new StartError(`${source.location} was not moved and can be used.`, 1);
  await source.unseal();
  await deleteMeta(source, MOVED_TO);
  await deleteMeta(source, "epoch");
  await insertMeta(source, "epoch", randomBytes(4).toString("hex"));
  await source.commit();
  return source.location;
}

/** @throws StartError */
async function refuseOtherSchema(source: Source): Promise<void> {
  const { engine, location } = source;
  const query = (text: string) => source.query<Record<string, unknown>>(text);
  const found = await findSchema(engine, query, { name: location, isMovedFine: true }).catch((error) => {
    throw error instanceof StartError ? new StartError(error.message, 1, error) : error;
  });
  if (found === "behind")
    throw new StartError(
      `${location} has the schema of an earlier version: start the server with it first, which upgrades it.`,
      1,
    );
}

/**
 * Whether the source is sealed already, because an earlier move to the same target was interrupted.
 * @throws StartError when it was moved elsewhere
 */
async function isSealedFor(source: Source, target: string): Promise<boolean> {
  const to = await metaOf(source, MOVED_TO);
  if (to !== undefined && to !== target)
    throw new StartError(`${source.location} was moved to ${to}: later changes are only there.`, 1);
  return to !== undefined;
}

/** Copies everything, then compares. @throws StartError when the two are not the same */
async function copy(
  source: Source,
  target: Target,
  pairs: readonly TablePair[],
  { onProgress }: MoveOptions,
): Promise<MovedTable[]> {
  const counts = await Promise.all(pairs.map(({ from }) => countOf(source, from)));
  const total = 3 * counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  const counting =
    (step: "Copying" | "Comparing"): OnRows =>
    (count) => {
      done += count;
      onProgress?.(step, done, total);
    };
  // A new schema is not empty: it has rows about itself.
  for (const { to } of pairs.toReversed()) await target.query(`delete from ${quoted(to)}`);
  for (const pair of pairs) await copyTable(source, target, pair, counting("Copying"));
  for (const [name, id] of await source.highestIds()) {
    const pair = pairs.find(({ from }) => from.name === name);
    if (pair !== undefined) await target.continueIds(pair.to, id);
  }
  const tables: MovedTable[] = [];
  for (const pair of pairs) tables.push(await compare(source, target, pair, counting("Comparing")));
  // The seal of an interrupted move belongs to the source, not to the target.
  await deleteMeta(target, MOVED_TO);
  // Its pages have not come along.
  await deleteMeta(target, ABANDONED);
  return tables;
}

async function compare(source: Source, target: Target, pair: TablePair, onRows: OnRows): Promise<MovedTable> {
  const [there, here] = await Promise.all([
    contentsOf(source, pair.from, onRows),
    contentsOf(target, pair.to, onRows),
  ]);
  const { name } = pair.from;
  const expected = await countOf(source, pair.from);
  if (there.rows !== expected) throw new Error(`${name} has ${expected} rows, and ${there.rows} were read`);
  if (there.rows !== here.rows || there.sha256 !== here.sha256)
    throw new StartError(
      `${name} is not the same in both: ${there.rows} rows with checksum ${there.sha256} in ${source.location}, ` +
        `${here.rows} with ${here.sha256} in ${target.location}.`,
      1,
    );
  return { name, ...there };
}

async function countOf(endpoint: DatabaseEndpoint, table: TablePair["from"]): Promise<number> {
  const [row] = await endpoint.query<{ n: number | string }>(`select count(*) as n from ${quoted(table)}`);
  return Number(row?.n);
}

async function metaOf(endpoint: DatabaseEndpoint, name: string): Promise<string | undefined> {
  const query = `select value from meta where name = ${endpoint.dialect.parameter(1)}`;
  const [row] = await endpoint.query<{ value: string }>(query, [name]);
  return row?.value;
}

async function deleteMeta(endpoint: DatabaseEndpoint, name: string): Promise<void> {
  await endpoint.query(`delete from meta where name = ${endpoint.dialect.parameter(1)}`, [name]);
}

async function insertMeta(endpoint: DatabaseEndpoint, name: string, value: string): Promise<void> {
  const { dialect } = endpoint;
  const insert = `insert into meta (name, value) values (${dialect.parameter(1)}, ${dialect.parameter(2)})`;
  await endpoint.query(insert, [name, value]);
}
