import type { Awaitable } from "../../awaitable.ts";
import { StartError } from "../../errors.ts";
import { timeLimit } from "../../time-limit.ts";
import type { DatabaseState, Sql } from "../database.ts";
import { hostUrlsOf } from "../database-url.ts";
import { isCanceled } from "./errors.ts";
import { Hosts } from "./hosts.ts";
import { type PostgresOptions, PostgresPool } from "./pool.ts";
import { inSnapshot } from "./transaction.ts";

/** A read waits this long at most for a standby that has the primary's state, in milliseconds. */
const PATIENCE_MS = 20;
/** A standby that had not is not asked again for this time, which doubles each time, in milliseconds. */
const REST_MS = { shortest: 50, longest: 5_000 } as const;
/** The time between two questions, in milliseconds. */
const PAUSE_MS = 1;

/** What is read, given the connection that runs it. */
export type Reading<T> = (sql: Sql) => Awaitable<T>;

/** Why the primary has answered: the standbys were in another state, did not respond or are none, or had no connection free. */
type Reason = "behind" | "away" | "busy";

/** What has begun on a standby, or why nothing has. */
type Asked<T> = Begun<T> | Reason;

interface Begun<T> {
  readonly result: Promise<T>;
  /** Whether one of its statements has failed, and not what is made of their rows. */
  readonly hasFailed: () => boolean;
}

interface Standby {
  readonly pool: PostgresPool;
  /** By the monotonic clock. */
  restsUntil: number;
  rest: number;
  /** Since when it has been in other states than the primary, by the monotonic clock. */
  differsSince: number | undefined;
}

/**
 * Reads from standbys that cannot be stale. A standby answers only in a snapshot whose count of commits (`stamp.ts`) the primary
 * has had since the read began, and that is a state that the primary could have answered from: not an older one; not a
 * newer one, in which a commit is visible that still waits for a synchronous standby and that nobody may see yet; and after a
 * fail-over not one of another history, since the steps of the count are random. Positions in the write-ahead log would
 * show only the first. Primary and standby are asked at the same time, and again while their counts differ. Whatever is wrong
 * with a standby, finding that out costs a read 20 ms at most, then the primary answers; and the standby rests, so that it does
 * not cost each read that much. A read that has begun on one has the time of any read.
 */
export class Standbys {
  readonly #standbys: readonly Standby[];
  readonly #stamp: () => Promise<string>;
  readonly #epoch: string;
  readonly #answered = { standby: 0, behind: 0, away: 0, busy: 0 };
  #turn = 0;

  /**
   * @param url with one or several hosts, in the schema of the database
   * @param stamp reads the primary's count of commits
   */
  constructor(
    url: string,
    options: PostgresOptions,
    { stamp, epoch }: { readonly stamp: () => Promise<string>; readonly epoch: string },
  ) {
    this.#standbys = hostUrlsOf(url).map((host) => ({
      pool: new PostgresPool(new Hosts(host), { ...options, isReadOnly: true, observer: undefined }),
      restsUntil: 0,
      rest: 0,
      differsSince: undefined,
    }));
    this.#stamp = stamp;
    this.#epoch = epoch;
  }

  get state(): NonNullable<DatabaseState["standbys"]> {
    return this.#answered;
  }

  /**
   * Reads from a standby.
   * @param reading runs again on the primary when a statement fails here
   * @returns undefined when the primary must answer
   */
  async read<T>(reading: Reading<T>): Promise<{ readonly result: T } | undefined> {
    const until = performance.now() + timeLimit(PATIENCE_MS);
    const states = new Set<string>();
    for (let reason: Reason | undefined; ; ) {
      const now = performance.now();
      const rested = this.#standbys.filter(({ restsUntil }) => restsUntil <= now);
      const standby = rested[this.#turn++ % rested.length];
      if (standby === undefined || now >= until) return this.#leave(reason ?? "away");
      const asked = await this.#ask(standby, states, until, reading);
      if (asked === "behind") this.#differs(standby);
      else if (asked === "away") rest(standby);
      else if (asked !== "busy") {
        const read = await this.#resultOf(asked, standby);
        if (read === undefined) return this.#leave("away");
        standby.rest = 0;
        standby.differsSince = undefined;
        this.#answered.standby++;
        return read;
      }
      reason = asked;
      if (asked === "behind") await Bun.sleep(PAUSE_MS);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#standbys.map(({ pool }) => pool.close()));
  }

  /** @returns undefined when a statement has failed, and may succeed on the primary */
  async #resultOf<T>(
    { result, hasFailed }: Begun<T>,
    standby: Standby,
  ): Promise<{ readonly result: T } | undefined> {
    try {
      return { result: await result };
    } catch (error) {
      if (!hasFailed()) throw error;
      rest(standby);
      // It would take as long on the primary.
      if (isCanceled((error as Error | undefined)?.cause ?? error)) throw error;
      return undefined;
    }
  }

  /**
   * Begins a snapshot on a standby, and reads in it if it shows a state that the primary has had.
   * @param states those that the primary has had since the read began
   */
  async #ask<T>(
    standby: Standby,
    states: Set<string>,
    until: number,
    reading: Reading<T>,
  ): Promise<Asked<T>> {
    const { promise: asked, resolve } = Promise.withResolvers<Asked<T>>();
    let [hasBegun, isLate, hasFailed] = [false, false, false];
    const giveUp = () => resolve(!hasBegun && isBusy(standby) ? "busy" : "away");
    const timer = setTimeout(giveUp, until - performance.now());
    const stamp = this.#stamp();
    stamp.catch(() => {});
    inSnapshot(standby.pool, async (sql) => {
      hasBegun = true;
      const [row] = await sql<{ stamp: string | null; epoch: string; recovers: boolean }>`
        select (select cast(sum(n) as text) from commits) as stamp,
          (select value from meta where name = 'epoch') as epoch, pg_is_in_recovery() as recovers`;
      clearTimeout(timer);
      if (isLate || !row?.recovers) return resolve("away");
      states.add(await stamp);
      if (row.epoch !== this.#epoch || !states.has(row.stamp ?? "0")) return resolve("behind");
      const watched = <Row>(...statement: Parameters<Sql>) =>
        Promise.resolve(sql<Row>(...statement)).catch((error) => {
          hasFailed = true;
          throw error;
        });
      const result = (async () => reading(Object.assign(watched, sql)))();
      // The caller has the result before the transaction has ended.
      resolve({ result, hasFailed: () => hasFailed });
      await result;
    }).catch(() => resolve("away"));
    const result = await asked;
    isLate = true;
    clearTimeout(timer);
    // Without the primary nothing can be read.
    await stamp;
    return result;
  }

  /** It is behind, or of another history; or it has shown a state between two that were seen of the primary. */
  #differs(standby: Standby): void {
    const now = performance.now();
    standby.differsSince ??= now;
    if (now - standby.differsSince >= timeLimit(PATIENCE_MS)) rest(standby);
  }

  #leave(reason: Reason): undefined {
    this.#answered[reason]++;
  }
}

/** Whether all its connections are in use, which are stuck rather than busy if it has failed since it last answered. */
function isBusy({ pool, rest }: Standby): boolean {
  return rest === 0 && pool.state.writers === pool.state.writersMax;
}

function rest(standby: Standby): void {
  const now = performance.now();
  if (standby.restsUntil > now) return;
  standby.rest = Math.min(REST_MS.longest, Math.max(REST_MS.shortest, 2 * standby.rest));
  standby.restsUntil = now + standby.rest;
}

/**
 * On other engines, the count of commits and the rows may be read from different states, or from several servers.
 * @throws StartError
 */
export async function refuseOtherEngines(primary: PostgresPool, location: string): Promise<void> {
  const [row] = await primary.query<{ version: string; citus: boolean }>`
    select version() as version, exists (select 1 from pg_extension where extname = 'citus') as citus`;
  const isPostgres = /^PostgreSQL [\w.]+ (?:on|\()/.test(row?.version ?? "") && !row?.citus;
  if (isPostgres) return;
  throw new StartError(
    `DATABASE_READ_URL: reads from standbys need PostgreSQL's own replication, and ${location} is ${row?.citus ? "Citus" : row?.version}.`,
    1,
  );
}
