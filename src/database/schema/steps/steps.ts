import type { Awaitable } from "../../../awaitable.ts";
import type { Sql } from "../../database.ts";
import { statementsIn } from "../statements.ts";
import listsOfTokensPostgres from "./0002-lists-of-tokens.postgres.sql" with { type: "text" };
import listsOfTokensSqlite from "./0002-lists-of-tokens.sqlite.sql" with { type: "text" };
import statesPostgres from "./0003-states-of-bookmarks.postgres.sql" with { type: "text" };
import statesSqlite from "./0003-states-of-bookmarks.sqlite.sql" with { type: "text" };
import digestsPostgres from "./0004-digests-of-content.postgres.sql" with { type: "text" };
import digestsSqlite from "./0004-digests-of-content.sqlite.sql" with { type: "text" };
import anyKindPostgres from "./0005-changes-of-any-kind.postgres.sql" with { type: "text" };
import anyKindSqlite from "./0005-changes-of-any-kind.sqlite.sql" with { type: "text" };
import plansOfImportsPostgres from "./0006-plans-of-imports.postgres.sql" with { type: "text" };
import plansOfImportsSqlite from "./0006-plans-of-imports.sqlite.sql" with { type: "text" };
import copiesPostgres from "./0007-copies.postgres.sql" with { type: "text" };
import copiesSqlite from "./0007-copies.sqlite.sql" with { type: "text" };
import pagePicturesPostgres from "./0008-page-pictures.postgres.sql" with { type: "text" };
import pagePicturesSqlite from "./0008-page-pictures.sqlite.sql" with { type: "text" };
import marksPostgres from "./0009-marks.postgres.sql" with { type: "text" };
import marksSqlite from "./0009-marks.sqlite.sql" with { type: "text" };
import changesOfAgentsPostgres from "./0010-changes-of-agents.postgres.sql" with { type: "text" };
import changesOfAgentsSqlite from "./0010-changes-of-agents.sqlite.sql" with { type: "text" };

/**
 * A change of the schema: the SQL that turns a database of the step before it into one like a new one. Nothing in it
 * depends on the rest of the program, which changes.
 */
export interface Step {
  /** Its number and subject, as its files are called, such as `0002-page-copies`. It names the schema that it leads to. */
  readonly name: string;
  /** One statement each. */
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
  /** What SQL cannot say, in the same transaction after the statements. */
  readonly fill?: (sql: Sql) => Awaitable<void>;
}

/**
 * All steps, in order. A released one never changes. Texts are imported, so that a one-file build has them:
 *
 *     import postgres0002 from "./0002-page-copies.postgres.sql" with { type: "text" };
 *     import sqlite0002 from "./0002-page-copies.sqlite.sql" with { type: "text" };
 *
 *     { name: "0002-page-copies", sqlite: statementsIn(sqlite0002), postgres: statementsIn(postgres0002) },
 */
export const STEPS: readonly Step[] = [
  {
    name: "0002-lists-of-tokens",
    sqlite: statementsIn(listsOfTokensSqlite),
    postgres: statementsIn(listsOfTokensPostgres),
  },
  {
    name: "0003-states-of-bookmarks",
    sqlite: statementsIn(statesSqlite),
    postgres: statementsIn(statesPostgres),
  },
  {
    name: "0004-digests-of-content",
    sqlite: statementsIn(digestsSqlite),
    postgres: statementsIn(digestsPostgres),
  },
  {
    name: "0005-changes-of-any-kind",
    sqlite: statementsIn(anyKindSqlite),
    postgres: statementsIn(anyKindPostgres),
  },
  {
    name: "0006-plans-of-imports",
    sqlite: statementsIn(plansOfImportsSqlite),
    postgres: statementsIn(plansOfImportsPostgres),
  },
  { name: "0007-copies", sqlite: statementsIn(copiesSqlite), postgres: statementsIn(copiesPostgres) },
  {
    name: "0008-page-pictures",
    sqlite: statementsIn(pagePicturesSqlite),
    postgres: statementsIn(pagePicturesPostgres),
  },
  { name: "0009-marks", sqlite: statementsIn(marksSqlite), postgres: statementsIn(marksPostgres) },
  {
    name: "0010-changes-of-agents",
    sqlite: statementsIn(changesOfAgentsSqlite),
    postgres: statementsIn(changesOfAgentsPostgres),
  },
];
