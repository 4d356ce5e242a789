import { beforeAll, expect, test } from "bun:test";
import { Commands } from "../../support/machine/commands.ts";
import { Terminal } from "../../support/machine/terminal.ts";
import { describeSite, oneEngine } from "../../support/pages/site.ts";
import { signIn, TOKEN } from "../../support/requests/sign-in.ts";

// No character of it stands in what the command itself shows.
const TYPED = "ЖЩЪЫЭЮЯЖЩЪЫЭ";

describeSite(
  "commonplace account add on a terminal",
  (site) => {
    const commands = new Commands(site);
    beforeAll(() => commands.startServer());
    const add = (username: string) => new Terminal(["account", "add", username], commands.env);

    test("asks twice for the password and shows nothing of it", async () => {
      using terminal = add("typist");
      await terminal.shows("Password");
      terminal.type(TYPED);
      terminal.type("\r");
      await terminal.shows("Again");
      terminal.type(TYPED);
      terminal.type("\r");
      expect(await terminal.exited).toBe(0);
      expect(terminal.output).toContain("typist created");
      expect(terminal.output).not.toMatch(/[Ж-Я]/);
      expect((await signIn(commands.send, TOKEN, { username: "typist", password: TYPED })).status).toBe(200);
    });

    test("reports a short password at once, and asks again with an empty field", async () => {
      using terminal = add("improves");
      await terminal.shows("Password");
      terminal.type("123456789\r");
      await terminal.shows("at least 10 characters");
      terminal.type("1234567890\r");
      await terminal.shows("Again");
      terminal.type("1234567890\r");
      expect(await terminal.exited).toBe(0);
      expect(
        (await signIn(commands.send, TOKEN, { username: "improves", password: "1234567890" })).status,
      ).toBe(200);
    });

    test("creates nothing when the two differ", async () => {
      using terminal = add("mistypes");
      await terminal.shows("Password");
      terminal.type(`${TYPED}\r`);
      await terminal.shows("Again");
      terminal.type(`${TYPED}.\r`);
      expect(await terminal.exited).toBe(2);
      expect(terminal.output).toContain("do not match");
      expect((await commands.run(["account", "list"])).stdout).not.toContain("mistypes");
    });

    test.each(["Password", "Again"])("creates nothing when Ctrl-C is pressed at %j", async (prompt) => {
      using terminal = add("leaves");
      await terminal.shows("Password");
      if (prompt === "Again") {
        terminal.type(`${TYPED}\r`);
        await terminal.shows("Again");
      }
      terminal.type("\u0003");
      expect(await terminal.exited).toBe(2);
      expect((await commands.run(["account", "list"])).stdout).not.toContain("leaves");
    });

    test("checks the name before it asks for a password", async () => {
      await commands.add("known");
      using terminal = add("KNOWN");
      expect(await terminal.exited).toBe(1);
      expect(terminal.output).not.toContain("Password");
    });
  },
  { on: oneEngine },
);
