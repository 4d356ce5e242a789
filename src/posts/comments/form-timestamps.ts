import type { Database } from "../../database/database.ts";
import { Signer } from "../../database/signer.ts";

/** A faster submission is probably automated, in milliseconds. */
const FAST = 3_000;
/** An older form was probably stored by a program, in milliseconds. */
const STALE = 24 * 60 * 60 * 1000;

/** Signs the time at which a form was shown, to detect forms that a program filled in. */
export class FormTimestamps {
  readonly #signer: Signer;

  constructor(database: Database) {
    this.#signer = new Signer(database);
  }

  /** @param subject identifies the form */
  async sign(subject: string, now: Date): Promise<string> {
    const time = now.getTime().toString(36);
    return `${time}.${await this.#signer.sign(`${subject} ${time}`)}`;
  }

  /** Signs of an automated form: `fast`, `stale`, or nothing. */
  async judge(subject: string, signed: string, now: Date): Promise<"fast" | "stale" | undefined> {
    const [time = "", signature = ""] = signed.split(".");
    if (!(await this.#signer.isSigned(`${subject} ${time}`, signature))) return "stale";
    const age = now.getTime() - Number.parseInt(time, 36);
    if (age < FAST) return "fast";
    return age >= STALE ? "stale" : undefined;
  }
}
