import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FULL_RUN_FILES, HURRIED_FAULTS, ON_POSTGRES, TESTED_ON_POSTGRES, USUAL_TIMES } from "./tiers.ts";

const ROOT = join(import.meta.dir, "../../..");

test("every listed file exists", () => {
  const files = [FULL_RUN_FILES, ON_POSTGRES, USUAL_TIMES.longest]
    .flatMap((list) => Object.keys(list))
    .concat(HURRIED_FAULTS);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("for each file of the full run, one of npm test stands", () => {
  for (const [file, other] of Object.entries(FULL_RUN_FILES))
    expect([file, other in FULL_RUN_FILES, existsSync(join(ROOT, other))]).toEqual([file, false, true]);
});

test("a file that needs PostgreSQL is in one of the lists", () => {
  const needy = [...new Bun.Glob("{src,bench,seed,test}/**/*.test.{ts,tsx}").scanSync(ROOT)].filter(
    (file) => !(file.startsWith("test/faults/") || file in FULL_RUN_FILES || file in ON_POSTGRES),
  );
  const needs = /\b(?:sharedCluster|startCluster|embeddedPostgres)\b|engines\[1\]/;
  expect(
    needy.filter(
      (file) => needs.test(readFileSync(join(ROOT, file), "utf8")) && !file.endsWith("run/tiers.test.ts"),
    ),
  ).toEqual([]);
});

test("every file for PostgreSQL alone has a test on PostgreSQL, in npm test but for several servers", () => {
  const files = [...new Bun.Glob("src/**/*.ts").scanSync(ROOT)].filter(
    (file) => file.includes("postgres") && !file.endsWith(".test.ts"),
  );
  expect(files.toSorted()).toEqual(Object.keys(TESTED_ON_POSTGRES).toSorted());
  const isRun = (test: string) => test in ON_POSTGRES || test.startsWith("src/database/postgres/");
  const others = Object.entries(TESTED_ON_POSTGRES).filter(([, test]) => !isRun(test));
  expect(others.map(([file]) => file)).toEqual([
    "src/database/postgres/hosts.ts",
    "src/database/postgres/standbys.ts",
  ]);
  expect(Object.values(TESTED_ON_POSTGRES).filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
});

test("programs are found where only root looks for them: nginx, HAProxy and PgBouncer", () => {
  expect(process.env.PATH?.split(":")).toContain("/usr/sbin");
});
