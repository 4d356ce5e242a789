import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "./database.ts";

/** So many times the work begins again; then it waits within its snapshot. */
const AGAIN_MAX = 8;

/** Thrown by the work of {@link readTogether} where `read.mustNotWait` says so. */
export class WaitOutside extends Error {
  readonly until: Promise<unknown>;

  constructor(until: Promise<unknown>) {
    super("Work in a snapshot must wait for something else.");
    this.until = until;
  }
}

/**
 * Makes a response of what is read in one snapshot. Few snapshots are open at a time, so none is kept while a text is
 * rendered, for example: the work throws {@link WaitOutside}, its snapshot ends, and it begins again in a new one when
 * that has settled. What is read after the end, while a long body is sent, is read on its own.
 */
export async function readTogether<T>(
  database: Pick<Database, "snapshot" | "readMany">,
  work: (read: Sql) => Awaitable<T>,
): Promise<T> {
  for (let again = 0; ; again++)
    try {
      return await database.snapshot(async (snapshot) => {
        let isOpen = true;
        const sql = <Row>(...statement: Parameters<Sql>) =>
          isOpen ? snapshot<Row>(...statement) : database.readMany<Row>(...statement);
        const mustNotWait = () => isOpen && again < AGAIN_MAX;
        try {
          return await work(Object.assign(sql, { engine: snapshot.engine, slot: 0, mustNotWait }));
        } finally {
          isOpen = false;
        }
      });
    } catch (error) {
      if (!(error instanceof WaitOutside)) throw error;
      await error.until;
    }
}
