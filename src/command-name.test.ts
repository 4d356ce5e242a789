import { expect, test } from "bun:test";
import { commandName } from "./command-name.ts";

test("the command is what a shell finds, however the server was started", () => {
  expect(commandName({ PATH: "/usr/bin" })).toBe("commonplace");
  expect(commandName({ npm_execpath: "/usr/lib/node_modules/npm/bin/npm-cli.js" })).toBe("npx commonplace");
});
