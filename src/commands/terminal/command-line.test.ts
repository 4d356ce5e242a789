import { expect, test } from "bun:test";
import { givenFlags, program } from "../../command-name.ts";

test("The program is called by its name only where the shell finds it by that", () => {
  const of = (calledAs: string, more = {}) =>
    program({ COMMONPLACE_CALLED_AS: calledAs, PATH: "/usr/bin:/opt/bin", ...more });
  expect(of("/opt/bin/commonplace")).toEqual(["commonplace"]);
  expect(of("/srv/commonplace/bin/commonplace")).toEqual(["/srv/commonplace/bin/commonplace"]);
  expect(of("bin/commonplace")).toEqual(["bin/commonplace"]);
  const npx = { npm_lifecycle_event: "npx", PATH: "/srv/node_modules/.bin" };
  expect(of("/srv/node_modules/.bin/commonplace", npx)).toEqual(["npx", "commonplace"]);
});

test.each([
  [["import", "x"], []],
  [
    ["import", "--database-url", "sqlite:a.db", "x"],
    ["--database-url", "sqlite:a.db"],
  ],
  [
    ["import", "--database-url=sqlite:a.db"],
    ["--database-url", "sqlite:a.db"],
  ],
  [
    ["--database-url", "postgres://me:pa:s@s@db/x"],
    ["--database-url", "postgres://me:PASSWORD@db/x"],
  ],
])("The database of %j is passed on, without its password", (words, expected) => {
  expect(givenFlags(words, "--database-url")).toEqual(expected);
});
