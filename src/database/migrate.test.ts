import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { StartError } from "../errors.ts";
import { VERSION } from "../version.ts";
import { type Applied, checkSchema, type Migratable, type Migration, migrate } from "./migrate.ts";
import { postgresMigrations } from "./migrations/postgres.ts";
import { sqliteMigrations } from "./migrations/sqlite.ts";

const steps: Migration[] = [1, 2, 3].map((number) => ({ number, name: `step ${number}`, script: "" }));

describe("migrate", () => {
  test("applies every migration to a new database, in order", async () => {
    const database = new Fake([]);
    await migrate(database, steps);
    expect(database.numbers).toEqual([1, 2, 3]);
  });

  test("applies only the missing migrations", async () => {
    const database = new Fake([1, 2]);
    await migrate(database, steps);
    await migrate(database, steps);
    expect(database.numbers).toEqual([1, 2, 3]);
  });

  test("accepts a database that a newer program has migrated further", async () => {
    const database = new Fake([1, 2, 3, 4], { oldest_program: VERSION });
    await migrate(database, steps);
    expect(database.numbers).toEqual([1, 2, 3, 4]);
  });

  test("refuses a database that needs a newer program, before it changes anything", async () => {
    const database = new Fake([1], { oldest_program: "99.0.0" });
    const migrating = migrate(database, steps);
    await expect(migrating).rejects.toBeInstanceOf(StartError);
    await expect(migrating).rejects.toThrow(`99.0.0 or later; this is ${VERSION}`);
    expect(database.numbers).toEqual([1]);
  });

  test("refuses a database that was moved away, or the target of an unfinished move", async () => {
    const moved = new Fake([1], { oldest_program: VERSION, moved_to: "postgres://db/links" });
    await expect(migrate(moved, steps)).rejects.toThrow(
      "was moved to postgres://db/links: change DATABASE_URL",
    );
    const half = new Fake([1], { oldest_program: VERSION, moving_from: "sqlite:/links.db" });
    await expect(migrate(half, steps)).rejects.toThrow(
      "from sqlite:/links.db to this database was interrupted",
    );
    expect([moved.numbers, half.numbers]).toEqual([[1], [1]]);
  });

  test("refuses a database with another migration under a known number, before it changes anything", async () => {
    const diverged = new Fake([1, 2], { oldest_program: VERSION }, { 2: "labels" });
    const migrating = migrate(diverged, steps);
    await expect(migrating).rejects.toMatchObject({ exitCode: 2 });
    await expect(migrating).rejects.toThrow('migration 2 is "labels" there, and "step 2" here');
    expect(diverged.numbers).toEqual([1, 2]);
  });
});

describe("checkSchema", () => {
  const check = (applied: number[], oldest: string | undefined, meta: Meta = {}) =>
    checkSchema(sqlOf(applied, { ...meta, ...(oldest !== undefined && { oldest_program: oldest }) }), steps);
  const unavailable = expect.objectContaining({ reason: "unavailable" });

  test("accepts a current or newer schema", async () => {
    await check([1, 2, 3], VERSION);
    await check([1, 2, 3, 4], "0.0.1");
  });

  test("refuses a schema that lacks a migration, needs a newer program, or has no record of migrations", async () => {
    for (const [applied, oldest] of [
      [[1, 2], VERSION],
      [[1, 3], VERSION],
      [[1, 2, 3], "99.0.0"],
      [[1, 2, 3], undefined],
    ] as const)
      await expect(check([...applied], oldest)).rejects.toEqual(unavailable);
  });

  test("refuses a schema with another migration under a known number", async () => {
    const sql = sqlOf([1, 2, 3], { oldest_program: VERSION }, { 3: "labels" });
    await expect(checkSchema(sql, steps)).rejects.toEqual(unavailable);
  });

  test("refuses a schema that was moved away", async () => {
    await expect(check([1, 2, 3], VERSION, { moved_to: "sqlite:/links.db" })).rejects.toEqual(unavailable);
  });
});

describe("The released migrations", () => {
  /**
   * Never changed, since databases have them. Each new migration adds a line: SHA-256 of the scripts for SQLite and
   * PostgreSQL.
   */
  const FROZEN: readonly [name: string, sqlite: string, postgres: string][] = [
    [
      "foundation",
      "6b9194d496b141d1a71a8982fcc5bb4979272e3a672c4160e38f64adc8cd1a23",
      "dc9dfed7bceab325bedf350f210dfb407b00cb3b92056b3475dcf7bba7932f83",
    ],
    [
      "accounts",
      "70fb8a60631f4a76ceb7b4055e8b2ed38319fbeb0794c03ddbe972714f7dc566",
      "0acc6a1f5b03c949303007fded259a09be4a3d2487da495a7564085764f676ea",
    ],
    [
      "posts",
      "58a1f98946ea93afbebdc99051b4564d7cd107b429bc0af82a0c4bd4965257ef",
      "aa20c3af7558b3e3cc5051e85b9146cb0225899dcc9a5f155b0d2cb10189ea71",
    ],
    [
      "import-undo",
      "3da99e708ff2592e70b8f5286f86ae65c2a83eaa7446c7d354c7ae5e27ef02e2",
      "5d93d27ced922c02a55d366949675c4ab00e2326acab458cc85a8aff67511a17",
    ],
  ];

  test("are unchanged", () => {
    const hashes = sqliteMigrations.map(({ name, script }, index) => [
      name,
      sha256(script),
      sha256(postgresMigrations[index]?.script ?? ""),
    ]);
    expect(hashes.slice(0, FROZEN.length)).toEqual(FROZEN.map((row) => [...row]));
  });
});

describe("The migrations for SQLite", () => {
  test("are numbered from 1, each with a unique name and a script", () => {
    const numbers = sqliteMigrations.map(({ number }) => number);
    expect(numbers[0]).toBe(1);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(new Set(sqliteMigrations.map(({ name }) => name)).size).toBe(sqliteMigrations.length);
    const unchanging = sqliteMigrations.filter(({ script }) => !/^(create|alter table) /m.test(script));
    expect(unchanging.map(({ name }) => name)).toEqual(["cheaper-marks"]);
  });
});

type Meta = Readonly<Record<string, string>>;

class Fake implements Migratable {
  readonly numbers: number[];
  readonly #meta: Meta;
  readonly #names: Readonly<Record<number, string>>;

  constructor(applied: number[], meta: Meta = {}, names: Readonly<Record<number, string>> = {}) {
    this.numbers = applied;
    this.#meta = meta;
    this.#names = names;
  }

  async applied(): Promise<Applied[]> {
    return this.numbers.map((number) => ({ number, name: this.#names[number] ?? `step ${number}` }));
  }

  async meta(name: string): Promise<string | undefined> {
    return this.#meta[name];
  }

  async apply({ number }: Migration): Promise<void> {
    this.numbers.push(number);
  }
}

/** A stand-in for the two queries that check a schema. */
function sqlOf(
  applied: readonly number[],
  meta: Meta,
  names: Readonly<Record<number, string>> = {},
): Parameters<typeof checkSchema>[0] {
  const answer = async (text: TemplateStringsArray): Promise<unknown[]> => {
    if (text.join("").includes("migrations"))
      return applied.map((number) => ({ number, name: names[number] ?? `step ${number}` }));
    return Object.entries(meta).map(([name, value]) => ({ name, value }));
  };
  return Object.assign(answer as <Row>() => Promise<Row[]>, { slot: 0 });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
