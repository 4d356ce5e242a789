import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Commands, expectRefused } from "../../support/machine/commands.ts";
import { describeSite, oneEngine } from "../../support/pages/site.ts";
import {
  PASSWORD,
  SESSION,
  signIn,
  signInForCookie,
  signInForToken,
  TOKEN,
  whoIs,
} from "../../support/requests/sign-in.ts";
import { COMMAND, run, temporaryFolder } from "../../support/server/server.ts";

const POSTS = "/api/posts/";

const token = (key: string) => ({ authorization: `Token ${key}` });

describeSite(
  "commonplace account",
  (site) => {
    const commands = new Commands(site);
    beforeAll(() => commands.startServer());

    test("add creates an account that can sign in to a running server at once, and prints the database's location", async () => {
      const { code, stdout, stderr } = await commands.run(["account", "add", "First.1"], `${PASSWORD}\n`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("First.1");
      expect(stdout).toContain(site.databaseUrl.replace("sqlite:", ""));
      expect(stdout).not.toContain(PASSWORD);
      const response = await signIn(commands.send, SESSION, { username: "first.1" });
      expect(await response.json()).toMatchObject({ username: "First.1" });
    });

    test("add uses the first line of standard input unchanged, without its line break", async () => {
      const inputs = {
        lf: "  spaced  out  \n",
        crlf: "  spaced  out  \r\n",
        eof: "  spaced  out  ",
        more: "  spaced  out  \nno",
      };
      for (const [username, input] of Object.entries(inputs)) {
        expect(await commands.run(["account", "add", username], input)).toMatchObject({ code: 0 });
        const password = "  spaced  out  ";
        expect((await signIn(commands.send, TOKEN, { username, password })).status).toBe(200);
      }
    });

    test("add needs the end of the line only, not the end of standard input", async () => {
      const child = Bun.spawn([COMMAND, "account", "add", "patient"], {
        cwd: tmpdir(),
        env: { PATH: process.env.PATH ?? "", ...commands.env },
        stdin: "pipe",
        stdout: "ignore",
        stderr: "ignore",
      });
      child.stdin.write(`${PASSWORD}\n`);
      child.stdin.flush();
      expect(await child.exited).toBe(0);
      expect((await signIn(commands.send, TOKEN, { username: "patient" })).status).toBe(200);
    });

    test.each([
      ["short", "123456789\n", /at least 10 characters/],
      ["long", `${"x".repeat(1_025)}\n`, /at most 1,?024 bytes/],
      ["empty", "\n", /at least 10 characters/],
      ["missing", "", /No password: the standard input is empty/],
      ["nul", "correct\0horse battery\n", /./],
    ])(
      "add refuses a password that is %s with exit code 2 and one line, and makes nothing",
      async (name, input, says) => {
        expectRefused(await commands.run(["account", "add", `pw-${name}`], input), 2, says);
        expect(await names()).not.toContain(`pw-${name}`);
      },
    );

    test("add refuses a password that is not UTF-8 instead of storing a different one", async () => {
      const child = Bun.spawn([COMMAND, "account", "add", "latin"], {
        cwd: tmpdir(),
        env: { PATH: process.env.PATH ?? "", ...commands.env },
        stdin: Buffer.from("p\u00e4ssw\u00f6rt lang genug\n", "latin1"),
        stdout: "ignore",
        stderr: "pipe",
      });
      expect(await new Response(child.stderr).text()).toMatch(/^[^\n]*UTF-8[^\n]*\n$/);
      expect(await child.exited).toBe(2);
      expect(await names()).not.toContain("latin");
    });

    test.each(["", "two words"])(
      "add refuses the name %j with exit code 2, before it asks for a password",
      async (username) => {
        expectRefused(await commands.run(["account", "add", username]), 2, /1 to 64 letters/);
      },
    );

    test("add refuses a taken name in any case, and does not change its account", async () => {
      await commands.add("Taken");
      for (const username of ["Taken", "tAKEN"])
        expectRefused(await commands.run(["account", "add", username], "another password\n"), 1, /taken/i);
      expect((await signIn(commands.send, TOKEN, { username: "taken" })).status).toBe(200);
      expect((await names()).filter((username) => username.toLowerCase() === "taken")).toEqual(["Taken"]);
    });

    test("two simultaneous adds of one name create one account", async () => {
      const both = ["Twin", "tWIN"].map((username) =>
        commands.run(["account", "add", username], `${PASSWORD}\n`),
      );
      const codes = (await Promise.all(both)).map(({ code }) => code);
      expect(codes.toSorted()).toEqual([0, 1]);
    });

    test("list shows every account by name, without its password's hash", async () => {
      await commands.add("zoe");
      await commands.add("Adam");
      await commands.run(["account", "disable", "zoe"]);
      const rows = await commands.accounts();
      expect(rows.map(({ username }) => username.toLowerCase())).toEqual(
        rows.map(({ username }) => username.toLowerCase()).toSorted(),
      );
      expect(rows.find(({ username }) => username === "zoe")).toEqual({
        id: expect.any(Number),
        username: "zoe",
        display_name: "zoe",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        disabled: true,
      });
      const { stdout, stderr, code } = await commands.run(["account", "list"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const lines = stdout.trimEnd().split("\n");
      expect(lines[0]).toMatch(/^id +username +display_name +created_at +disabled$/);
      expect(lines).toHaveLength(rows.length + 1);
      expect(lines.find((line) => line.includes("Adam"))).toMatch(/ false$/);
      expect(stdout).not.toContain("argon2");
    });

    test("password changes it at once and ends every session; the tokens stay", async () => {
      await commands.add("changes");
      const username = "changes";
      const cookies = [
        await signInForCookie(commands.send, { username }),
        await signInForCookie(commands.send, { username }),
      ];
      const key = await signInForToken(commands.send, { username });
      const ran = await commands.run(["account", "password", "CHANGES"], "another password\n");
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      for (const cookie of cookies) expect(await whoIs(commands.send, { cookie })).toBeUndefined();
      expect(await whoIs(commands.send, token(key))).toBe(username);
      expect((await signIn(commands.send, TOKEN, { username })).status).toBe(401);
      expect((await signIn(commands.send, TOKEN, { username, password: "another password" })).status).toBe(
        200,
      );
    });

    test("password refuses an invalid new one, and keeps the old one", async () => {
      await commands.add("keeps");
      expectRefused(
        await commands.run(["account", "password", "keeps"], "short\n"),
        2,
        /at least 10 characters/,
      );
      expect((await signIn(commands.send, TOKEN, { username: "keeps" })).status).toBe(200);
    });

    test("disable locks an account out at once; enable restores its tokens, but not its sessions", async () => {
      await commands.add("sleeper");
      const username = "sleeper";
      const cookie = await signInForCookie(commands.send, { username });
      const key = await signInForToken(commands.send, { username });
      expect(await commands.run(["account", "disable", "Sleeper"])).toMatchObject({ code: 0, stderr: "" });
      expect((await commands.send(SESSION, { headers: { cookie } })).status).toBe(401);
      expect((await commands.send(POSTS, { headers: token(key) })).status).toBe(401);
      expect((await signIn(commands.send, TOKEN, { username })).status).toBe(401);
      expect(await commands.run(["account", "enable", "sleeper"])).toMatchObject({ code: 0, stderr: "" });
      expect(await whoIs(commands.send, token(key))).toBe(username);
      expect(await whoIs(commands.send, { cookie })).toBeUndefined();
      expect((await signIn(commands.send, TOKEN, { username })).status).toBe(200);
    });

    test("remove deletes an account with its tokens and sessions; its records stay", async () => {
      await commands.add("leaver");
      const username = "leaver";
      const cookie = await signInForCookie(commands.send, { username });
      const key = await signInForToken(commands.send, { username });
      const json = { title: "First light", content: "Hello.", published: true };
      const made = await commands.send(POSTS, { method: "POST", headers: token(key), json });
      expect(made.status).toBe(201);
      expect(await commands.run(["account", "remove", "LEAVER"])).toMatchObject({ code: 0, stderr: "" });
      expect((await commands.send(POSTS, { headers: token(key) })).status).toBe(401);
      expect(await whoIs(commands.send, { cookie })).toBeUndefined();
      expect((await signIn(commands.send, TOKEN, { username })).status).toBe(401);
      const { id } = (await made.json()) as { id: number };
      expect((await commands.send(`${POSTS}${id}/`)).status).toBe(200);
    });

    test("remove frees the name, and a new account with it gets nothing of the former one", async () => {
      await commands.add("phoenix");
      const key = await commands.createToken("phoenix");
      const before = await idOf("phoenix");
      await commands.run(["account", "remove", "phoenix"]);
      await commands.add("phoenix");
      expect(await idOf("phoenix")).not.toBe(before);
      expect((await commands.send(POSTS, { headers: token(key) })).status).toBe(401);
      expect(await commands.tokens("phoenix")).toEqual([]);
    });

    test.each(["password", "disable", "enable", "remove"])(
      "%s of an unknown name is exit code 1 and one line, without asking for a password",
      async (verb) => {
        expectRefused(await commands.run(["account", verb, "nobody"]), 1, /No account nobody/);
      },
    );

    test.each([
      [["account", "add"]],
      [["account", "add", "two", "names"]],
      [["account", "add", "x", "--password", PASSWORD]],
      [["account", "list", "editor"]],
      [["account", "forget", "x"]],
      [["account"]],
    ])("called as %j is exit code 2", async (words) => {
      const { code, stdout, stderr } = await commands.run(words, `${PASSWORD}\n`);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).not.toBeEmpty();
      expect(stderr).not.toContain("    at ");
    });

    async function names(): Promise<string[]> {
      return (await commands.accounts()).map(({ username }) => username);
    }

    async function idOf(username: string): Promise<number | undefined> {
      return (await commands.accounts()).find((row) => row.username === username)?.id;
    }
  },
  { on: oneEngine },
);

describeSite("The commands for accounts, while a server runs", (site) => {
  const commands = new Commands(site);
  beforeAll(() => commands.startServer());

  test("take effect at once, from the creation of an account to its removal", async () => {
    const { send } = commands;
    const username = "journey";
    await commands.add(username);
    const cookie = await signInForCookie(send, { username });
    const headers = token(await commands.createToken(username, "--scope", "posts:write"));
    expect(await whoIs(send, { cookie })).toBe(username);
    expect(await whoIs(send, headers)).toBe(username);

    await commands.run(["account", "password", username], "another password\n");
    expect(await whoIs(send, { cookie })).toBeUndefined();
    expect(await whoIs(send, headers)).toBe(username);
    const again = await signInForCookie(send, { username, password: "another password" });

    await commands.run(["account", "disable", username]);
    expect(await whoIs(send, { cookie: again })).toBeUndefined();
    expect(await whoIs(send, headers)).toBeUndefined();

    await commands.run(["account", "enable", username]);
    expect(await whoIs(send, headers)).toBe(username);
    const [row] = await commands.tokens(username);
    await commands.run(["token", "revoke", String(row?.id)]);
    expect(await whoIs(send, headers)).toBeUndefined();

    await commands.run(["account", "remove", username, "--force"]);
    expect(await commands.accounts()).toEqual([]);
    expect((await signIn(send, TOKEN, { username, password: "another password" })).status).toBe(401);
  });
});

describe("Commands for accounts without a database", () => {
  const folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("new/commonplace.db")}` };
  afterAll(() => folder[Symbol.dispose]());

  test.each([[["account", "list"]], [["account", "password", "editor"]], [["token", "create", "editor"]]])(
    "%j is refused with exit code 1 and creates none",
    async (words) => {
      expectRefused(await run(words, { env, stdin: `${PASSWORD}\n` }), 1, /commonplace\.db/);
      expect(existsSync(folder.file("new"))).toBe(false);
    },
  );

  test("account add creates one, whatever the other settings", async () => {
    const settings = { ...env, HOST: "0.0.0.0", PORT: "none" };
    const { code, stdout } = await run(["account", "add", "editor"], {
      env: settings,
      stdin: `${PASSWORD}\n`,
    });
    expect(code).toBe(0);
    expect(stdout).toContain(folder.file("new/commonplace.db"));
    expect((await run(["account", "list"], { env })).stdout).toContain("editor");
  });
});
