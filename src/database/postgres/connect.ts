import { SQL } from "bun";
import { StartError } from "../../errors.ts";
import { schemaOf } from "../database-url.ts";
import { locationOf, withoutSchema } from "./location.ts";

interface Connecting {
  /** How many connections at most. */
  readonly max: number;
  /** In milliseconds. */
  readonly connectTimeout: number;
  /** Settings of the server for these connections. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** A connection was lost, or could not be made. */
  readonly onClose?: (() => void) | undefined;
}

/**
 * Connections to the database of a URL of one host. With `?schema=` in it, everything that they do stays in that schema: no other is
 * searched, so that sites in one database know nothing of each other.
 */
export function connect(url: string, { max, connectTimeout, settings, onClose }: Connecting): SQL {
  const schema = schemaOf(url);
  return new SQL({
    url: withoutSchema(url),
    adapter: "postgres",
    max,
    connectionTimeout: connectTimeout / 1000,
    ...(onClose && { onclose: onClose }),
    connection: { ...settings, ...(schema !== undefined && { search_path: schema }) },
  });
}

/**
 * Makes the schema that a URL names, if it is missing.
 * @throws StartError when a pooler gives connections to another one
 */
export async function ensureSchema(url: string, { unsafe }: Pick<SQL, "unsafe">): Promise<void> {
  const schema = schemaOf(url);
  if (schema === undefined) return;
  const current = async () => (await unsafe("select current_schema() as name"))[0]?.name ?? undefined;
  // A pooler that ignores the schema leads to another site, in which nothing may be made.
  if ((await current()) === undefined) await unsafe(`create schema if not exists ${schema}`);
  const found = await current();
  if (found !== schema)
    throw new StartError(
      `DATABASE_URL: ${locationOf(url)} leads to the schema ${found ?? "of nobody"}: a pooler ignores the schema in the URL. Set search_path at the role or in the pooler, and leave ?schema= out.`,
      1,
    );
}

/** @throws unless a database with this encoding stores every text as it is, and counts its characters */
export function checkEncoding(encoding: unknown): void {
  if (encoding === "UTF8") return;
  throw new Error(
    `its encoding is ${encoding}, but it must be UTF8: create it with createdb --encoding=UTF8 --template=template0`,
  );
}
