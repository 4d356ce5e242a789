import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { SCOPES } from "../../accounts/scope.ts";
import { accountCommand } from "./account.ts";
import { tokenCommand } from "./token.ts";

const page = readFileSync(new URL("../../../docs/accounts.md", import.meta.url), "utf8");

function namesOf(command: Command): string[] {
  return command.commands.map((sub) => `${command.name()} ${sub.name()}`);
}

test("docs/accounts.md names every command for accounts and tokens", () => {
  const names = [accountCommand(), tokenCommand()].flatMap(namesOf);
  expect(names).toContain("account add");
  expect(names.filter((name) => !page.includes(name))).toEqual([]);
});

test("docs/accounts.md names every flag of theirs", () => {
  const flags = [accountCommand(), tokenCommand()]
    .flatMap(({ commands }) => commands)
    .flatMap(({ options }) => options.map(({ long }) => long ?? ""));
  expect(flags).toContain("--expires");
  expect(flags.filter((flag) => !page.includes(flag))).toEqual([]);
});

test("docs/accounts.md has a row for every scope, and for no other", () => {
  const rows = [...page.matchAll(/^\| `(\w+(?::\w+)?)` \|/gm)].map(([, scope]) => scope ?? "");
  expect(rows.toSorted()).toEqual([...SCOPES].toSorted());
});

test("docs/accounts.md names only existing commonplace commands", () => {
  const names = [accountCommand(), tokenCommand()].flatMap(namesOf);
  const named = [...page.matchAll(/(?:commonplace |\| `)((?:account|token) [\w-]+)/g)].map(
    ([, name]) => name ?? "",
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});
