import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../../src/database/open.ts";
import { SCHEMA, type Schema } from "../../../src/database/schema/schema.ts";
import { withoutComments } from "../../../src/database/schema/statements.ts";
import type { Step } from "../../../src/database/schema/steps/steps.ts";

/** The name of the nth step after those that there are. */
const nameOfStep = (n: number) => `${String(SCHEMA.steps.length + 1 + n).padStart(4, "0")}-made-up-${n}`;

const FIRST_NAME = nameOfStep(1);
const SECOND_NAME = nameOfStep(2);

/** A column of its own in the middle of `imports`, so that the table is made again. */
const withColumn = (statements: readonly string[], type: string) =>
  statements.map((statement) =>
    isOf("imports", statement)
      ? statement.replace(/^ {2}format /m, `  made_up ${type},\n  format `)
      : statement,
  );
const isOf = (table: string, statement: string) =>
  withoutComments(statement).startsWith(`create table ${table} `);

const imports = {
  sqlite: withColumn(SCHEMA.sqlite, "text not null"),
  postgres: withColumn(SCHEMA.postgres, 'text collate "C" not null'),
};

const INSERT = (() => {
  using model = new DatabaseSync(":memory:");
  for (const statement of SCHEMA.sqlite) model.exec(statement);
  const columns = model
    .prepare("select name from pragma_table_info('imports')")
    .all()
    .map(({ name }) => name);
  return `insert into imports (made_up, ${columns.join(", ")}) select 'of before', ${columns.join(", ")} from imports_before`;
})();
const created = (statements: readonly string[]) =>
  statements.filter((statement) => isOf("imports", statement));

const TABLE = {
  sqlite: "create table made_up (name text primary key, n integer) strict",
  postgres: 'create table made_up (name text collate "C" primary key, n integer)',
};
const INDEX = "create index made_up_by_n on made_up (n)";
const lastColumn = (statements: readonly string[], type: string) =>
  statements.map((statement) =>
    isOf("accounts", statement)
      ? statement.replace(/\n\)( strict)?$/, `,\n  -- Added.\n  favorite ${type}\n)$1`)
      : statement,
  );

const firstStep: Step = {
  name: FIRST_NAME,
  sqlite: [
    "create temporary table imports_before as select * from imports",
    "drop table imports",
    ...created(imports.sqlite),
    INSERT,
    "drop table imports_before",
    "alter table accounts add column favorite integer",
    TABLE.sqlite,
    INDEX,
  ],
  postgres: [
    "create temporary table imports_before as select * from imports",
    "drop table imports cascade",
    ...created(imports.postgres),
    INSERT,
    "drop table imports_before",
    "alter table import_rows add foreign key (import_id) references imports (id) on delete cascade",
    "alter table accounts add column favorite integer",
    TABLE.postgres,
    INDEX,
  ],
  async fill(sql) {
    for (const { id, username } of await sql<{
      id: number;
      username: string;
    }>`select id, username from accounts order by id`)
      await sql`insert into made_up (name, n) values (${username.toUpperCase()}, ${id})`;
  },
};

const secondStep: Step = {
  name: SECOND_NAME,
  sqlite: ["drop index made_up_by_n"],
  postgres: ["drop index made_up_by_n"],
};

/** The schema of a program with a step more than this one: a table made again, a column, a table, an index, and computed rows. */
export const ONE_STEP_MORE: Schema = {
  sqlite: [...lastColumn(imports.sqlite, "integer"), TABLE.sqlite, INDEX],
  postgres: [...lastColumn(imports.postgres, "integer"), TABLE.postgres, INDEX],
  steps: [...SCHEMA.steps, firstStep],
};

export const TWO_STEPS_MORE: Schema = {
  sqlite: ONE_STEP_MORE.sqlite.filter((statement) => statement !== INDEX),
  postgres: ONE_STEP_MORE.postgres.filter((statement) => statement !== INDEX),
  steps: [...ONE_STEP_MORE.steps, secondStep],
};

/** The schema of a program whose last step fails at its end. */
export const FAILING: Schema = {
  ...ONE_STEP_MORE,
  steps: [
    ...SCHEMA.steps,
    {
      ...firstStep,
      fill() {
        throw new Error("Made up.");
      },
    },
  ],
};

/**
 * When run as a program: opens the database of DATABASE_URL with {@link ONE_STEP_MORE}, and kills itself before the statement
 * of that number, if any.
 */
if (import.meta.main) {
  const [url = "", last = ""] = process.argv.slice(2);
  let statements = 0;
  const count = () => {
    if (++statements === Number(last)) process.kill(process.pid, "SIGKILL");
  };
  const counted = (of: readonly string[]) =>
    Object.assign([...of], {
      *[Symbol.iterator]() {
        for (const statement of of) {
          count();
          yield statement;
        }
        count();
      },
    });
  const { sqlite, postgres, ...rest } = firstStep;
  const step = { ...rest, sqlite: counted(sqlite), postgres: counted(postgres) };
  const schema = { ...ONE_STEP_MORE, steps: [...SCHEMA.steps, step] };
  await (await openDatabase(url, { schema })).close();
}
