import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "../../database/database.ts";

/** A faster submission is probably automated, in milliseconds. */
const FAST = 3_000;
/** An older form was probably stored by a program, in milliseconds. */
const STALE = 24 * 60 * 60 * 1000;

/** Signs the time at which a form was shown, to detect forms that a program filled in. */
export class FormTimestamps {
  readonly #database: Database;
  #secret: Promise<string> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param subject identifies the form */
  async sign(subject: string, now: Date): Promise<string> {
    const time = now.getTime().toString(36);
    return `${time}.${await this.#signature(`${subject} ${time}`)}`;
  }

  /** Signs of an automated form: `fast`, `stale`, or nothing. */
  async judge(subject: string, signed: string, now: Date): Promise<"fast" | "stale" | undefined> {
    const [time = "", signature = ""] = signed.split(".");
    const expected = Buffer.from(await this.#signature(`${subject} ${time}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "stale";
    const age = now.getTime() - Number.parseInt(time, 36);
    if (age < FAST) return "fast";
    return age > STALE ? "stale" : undefined;
  }

  async #signature(text: string): Promise<string> {
    this.#secret ??= readSecret(this.#database).catch((error) => {
      this.#secret = undefined;
      throw error;
    });
    return createHmac("sha256", await this.#secret)
      .update(text)
      .digest("base64url")
      .slice(0, 22);
  }
}

const NAME = "form_secret";

/** The secret shared by all processes, created by the first that needs it. */
async function readSecret(database: Database): Promise<string> {
  const [known] = await database.read<{ value: string }>`select value from meta where name = ${NAME}`;
  if (known !== undefined) return known.value;
  return database.write(async (sql) => {
    const value = randomBytes(32).toString("base64url");
    await sql`insert into meta (name, value) values (${NAME}, ${value}) on conflict (name) do nothing`;
    const [row] = await sql<{ value: string }>`select value from meta where name = ${NAME}`;
    return row?.value ?? value;
  });
}
