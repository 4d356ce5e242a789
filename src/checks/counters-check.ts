import { addToCounter } from "../database/counters.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Inspection } from "../database/inspection.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { type Finding, problemsOr } from "./finding.ts";

/** A counter that differs from the counted records. */
export interface WrongCounter {
  readonly name: string;
  readonly is: number;
  /** The correct value; for a counter of changes, its minimum. */
  readonly mustBe: number;
}

/** Compares the counters, on which pages and entity tags rest, with the counted records. */
export async function checkCounters({ engine, sql }: Inspection): Promise<Finding[]> {
  const wrong = await findWrong(engine, sql);
  const problems = wrong.map(({ name, is, mustBe }) =>
    isOfChanges(name)
      ? `${name} is ${is}, but there were at least ${mustBe} changes`
      : `${name} is ${is}, but should be ${mustBe}`,
  );
  return problemsOr("counters", problems, "all counters are correct", "counters");
}

/**
 * Corrects every wrong counter, in one transaction that excludes other writers.
 * @returns the wrong counters
 */
export async function repairCounters(database: Database): Promise<WrongCounter[]> {
  return database.write(async (sql) => {
    await checksByEngine[database.engine].holdStill(sql);
    const wrong = await findWrong(database.engine, sql);
    for (const counter of wrong) await mend(sql, counter);
    // The list's contents change with its counters, so it needs a new entity tag.
    const lists = new Set(
      wrong.filter(({ name }) => !isOfChanges(name)).map(({ name }) => name.split(":")[0]),
    );
    for (const list of [...lists].toSorted()) await addToCounter(sql, `${list}:changes`, 1);
    return wrong;
  });
}

async function mend(sql: Sql, { name, is, mustBe }: WrongCounter): Promise<void> {
  // The true number of changes is unknown, but no old entity tag may match again: the milliseconds since 1970
  // exceed any collection's number of changes.
  const wanted = isOfChanges(name) ? Math.max(mustBe, Date.now()) : mustBe;
  await addToCounter(sql, name, wanted - is);
}

function isOfChanges(name: string): boolean {
  return name.endsWith(":changes");
}

async function findWrong(engine: Database["engine"], sql: Sql): Promise<WrongCounter[]> {
  const rows = await sql<{ name: string; n: number }>`select name, sum(n) as n from counters group by name`;
  const counters = new Map(rows.map(({ name, n }) => [name, Number(n)]));
  const totals = await plainCounts(engine, sql);
  const [bookmarks] = await sql<{ n: number }>`select count(*) as n from bookmarks`;
  totals.set("bookmarks:total", Number(bookmarks?.n));
  const names = [...counters.keys()].filter((name) =>
    /^(?:bookmarks|posts|drafts):(?:total|month:|day:)/.test(name),
  );
  const wrong = [...new Set([...names, ...totals.keys()])].flatMap((name) => {
    const [is, mustBe] = [counters.get(name) ?? 0, totals.get(name) ?? 0];
    return is === mustBe ? [] : [{ name, is, mustBe }];
  });
  return [...wrong, ...(await tooFewChanges(sql, counters))].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Posts of a list that were created on a day. */
interface DayCount {
  readonly list: string;
  readonly day: string;
  readonly n: number;
}

/** The correct counters of posts by name: total, by month and by day. */
async function plainCounts(engine: Database["engine"], sql: Sql): Promise<Map<string, number>> {
  const days = await sql<DayCount>`${checksByEngine[engine].postsByDay}`;
  const counts = new Map<string, number>();
  for (const { list, day, n } of days)
    for (const name of [`${list}:total`, `${list}:month:${String(day).slice(0, 7)}`, `${list}:day:${day}`])
      counts.set(name, (counts.get(name) ?? 0) + Number(n));
  return counts;
}

/** Every change of a record raises its version and the counter of changes by one, so the sum of versions is a minimum. */
async function tooFewChanges(sql: Sql, counters: ReadonlyMap<string, number>): Promise<WrongCounter[]> {
  const [bookmarks] = await sql<{ n: number }>`select coalesce(sum(version), 0) as n from bookmarks`;
  const [posts] = await sql<{ n: number }>`select count(*) as n from posts where published = ${true}`;
  const [drafts] = await sql<{ n: number }>`select count(*) as n from posts where published = ${false}`;
  const [comments] = await sql<{ n: number }>`select count(*) as n from comments`;
  return Object.entries({ bookmarks, posts, drafts, comments }).flatMap(([list, row]) => {
    const name = `${list}:changes`;
    const [is, mustBe] = [counters.get(name) ?? 0, Number(row?.n)];
    return is < mustBe ? [{ name, is, mustBe }] : [];
  });
}
