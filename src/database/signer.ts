import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "./database.ts";

const NAME = "form_secret";

/** Signs texts that a client keeps and shows again. The key is in the database, shared by all processes. */
export class Signer {
  readonly #database: Database;
  #secret: Promise<string> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The signature of a text. */
  async sign(text: string): Promise<string> {
    this.#secret ??= readSecret(this.#database).catch((error) => {
      this.#secret = undefined;
      throw error;
    });
    return createHmac("sha256", await this.#secret)
      .update(text)
      .digest("base64url")
      .slice(0, 22);
  }

  /** Whether a signature is that of a text. */
  async isSigned(text: string, signature: string): Promise<boolean> {
    const expected = Buffer.from(await this.sign(text));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

/** The secret of the database, created by the first that needs it. */
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
