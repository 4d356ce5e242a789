import { expect, test } from "bun:test";
import { MANUAL_PAGE, manualPage } from "../../docs/write-manual-page.ts";
import { settingKeys, variableName } from "../../src/config/config.ts";
import { run } from "../support/server/server.ts";

test("man/commonplace.1 is up to date (npm run docs)", async () => {
  const page = await Bun.file(MANUAL_PAGE).text();
  expect(page).toBe(await manualPage());
  for (const key of settingKeys) expect(page).toContain(`.TP\n\\fB${variableName(key)}\\fR\n`);
});

test("The manual page has every command of the help", async () => {
  const { stdout } = await run(["--help"]);
  const [, listed = ""] = stdout.split("Commands:\n");
  const names = [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(6);
  const page = await Bun.file(MANUAL_PAGE).text();
  for (const name of names.filter((name) => name !== "help"))
    expect(page).toMatch(new RegExp(`^\\.SS ${name}\\b`, "m"));
});

test.skipIf(Bun.which("mandoc") === null)("mandoc has no fault to find with it but the missing date", () => {
  const { stdout } = Bun.spawnSync(["mandoc", "-T", "lint", "-W", "warning", MANUAL_PAGE]);
  const faults = stdout.toString().split("\n").filter(Boolean);
  expect(faults.filter((fault) => !fault.includes("missing date"))).toEqual([]);
});

test.skipIf(Bun.which("man") === null)("man shows it", () => {
  const { stdout, stderr } = Bun.spawnSync(["man", "--warnings", "-l", MANUAL_PAGE], {
    env: { PATH: process.env.PATH ?? "", MANWIDTH: "100", LC_ALL: "C.UTF-8" },
  });
  expect(stderr.toString()).toBe("");
  expect(stdout.toString()).toContain("commonplace - One small server");
});
