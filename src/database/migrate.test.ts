import { describe, expect, test } from "bun:test";
import { StartError } from "../errors.ts";
import { VERSION } from "../version.ts";
import { checkSchema, type Migratable, type Migration, migrate } from "./migrate.ts";
import { sqliteMigrations } from "./migrations/sqlite.ts";

const steps: Migration[] = [1, 2, 3].map((number) => ({ number, name: `step ${number}`, script: "" }));

describe("migrate", () => {
  test("applies every step to a new database, in order", async () => {
    const database = new Fake([]);
    await migrate(database, steps);
    expect(database.numbers).toEqual([1, 2, 3]);
  });

  test("applies the steps that are missing, and none twice", async () => {
    const database = new Fake([1, 2]);
    await migrate(database, steps);
    await migrate(database, steps);
    expect(database.numbers).toEqual([1, 2, 3]);
  });

  test("works with a database that a newer program has taken further", async () => {
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

  test("refuses a database that was moved away, or that a move is not finished with", async () => {
    const moved = new Fake([1], { oldest_program: VERSION, moved_to: "postgres://db/links" });
    await expect(migrate(moved, steps)).rejects.toThrow("was moved to postgres://db/links: set DATABASE_URL");
    const half = new Fake([1], { oldest_program: VERSION, moving_from: "sqlite:/links.db" });
    await expect(migrate(half, steps)).rejects.toThrow(
      "from sqlite:/links.db to this database was interrupted",
    );
    expect([moved.numbers, half.numbers]).toEqual([[1], [1]]);
  });
});

describe("checkSchema", () => {
  const check = (applied: number[], oldest: string | undefined, meta: Meta = {}) =>
    checkSchema(sqlOf(applied, { ...meta, ...(oldest !== undefined && { oldest_program: oldest }) }), steps);
  const unavailable = expect.objectContaining({ reason: "unavailable" });

  test("is content with a schema that is current, or newer", async () => {
    await check([1, 2, 3], VERSION);
    await check([1, 2, 3, 4], "0.0.1");
  });

  test("is not with one that lacks a step, or needs a newer program, or says nothing", async () => {
    for (const [applied, oldest] of [
      [[1, 2], VERSION],
      [[1, 3], VERSION],
      [[1, 2, 3], "99.0.0"],
      [[1, 2, 3], undefined],
    ] as const)
      await expect(check([...applied], oldest)).rejects.toEqual(unavailable);
  });

  test("is not with one that was moved away", async () => {
    await expect(check([1, 2, 3], VERSION, { moved_to: "sqlite:/links.db" })).rejects.toEqual(unavailable);
  });
});

describe("The steps for SQLite", () => {
  test("are numbered upward from 1, each with a name of its own and a script", () => {
    const numbers = sqliteMigrations.map(({ number }) => number);
    expect(numbers[0]).toBe(1);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(new Set(sqliteMigrations.map(({ name }) => name)).size).toBe(sqliteMigrations.length);
    for (const { script } of sqliteMigrations) expect(script).toMatch(/^(create|alter table) /m);
  });
});

type Meta = Readonly<Record<string, string>>;

class Fake implements Migratable {
  readonly numbers: number[];
  readonly #meta: Meta;

  constructor(applied: number[], meta: Meta = {}) {
    this.numbers = applied;
    this.#meta = meta;
  }

  async applied(): Promise<number[]> {
    return [...this.numbers];
  }

  async meta(name: string): Promise<string | undefined> {
    return this.#meta[name];
  }

  async apply({ number }: Migration): Promise<void> {
    this.numbers.push(number);
  }
}

/** SQL that knows the two questions that are asked of a schema. */
function sqlOf(applied: readonly number[], meta: Meta): Parameters<typeof checkSchema>[0] {
  const answer = async (text: TemplateStringsArray): Promise<unknown[]> => {
    if (text.join("").includes("migrations")) return applied.map((number) => ({ number }));
    return Object.entries(meta).map(([name, value]) => ({ name, value }));
  };
  return Object.assign(answer as <Row>() => Promise<Row[]>, { slot: 0 });
}
