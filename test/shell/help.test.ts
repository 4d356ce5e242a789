import { expect, test } from "bun:test";
import { run } from "../support/server/server.ts";

/** The help of a command and of those below it, each under its name. */
async function helpBelow(words: readonly string[]): Promise<[name: string, text: string][]> {
  const { stdout, code } = await run([...words, "--help"]);
  expect(code).toBe(0);
  const [, listed = ""] = stdout.split("Commands:\n");
  const names = [...listed.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = ""]) => name);
  const below: [string, string][] = [];
  for (const name of names.filter((name) => name !== "help"))
    below.push(...(await helpBelow([...words, name])));
  return [[words.join(" "), stdout], ...below];
}

test("every command says what it said in its help", async () => {
  const commands = await helpBelow([]);
  expect(commands.length).toBeGreaterThan(30);
  for (const [name, text] of commands) expect(text).toMatchSnapshot(name);
});
