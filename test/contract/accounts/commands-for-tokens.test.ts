import { beforeAll, expect, test } from "bun:test";
import { Commands, expectRefused, type TokenRow } from "../../support/machine/commands.ts";
import { describeSite, oneEngine } from "../../support/pages/site.ts";
import { whoIs } from "../../support/requests/sign-in.ts";

const POSTS = "/api/posts/";
const DAY = 24 * 60 * 60 * 1000;

const token = (key: string) => ({ authorization: `Token ${key}` });

describeSite(
  "commonplace token",
  (site) => {
    const commands = new Commands(site);
    const username = "editor";
    beforeAll(async () => {
      await commands.startServer();
      await commands.add(username);
    });

    test("create prints the key and nothing else; it works at once, for 90 days, with all scopes", async () => {
      const before = Date.now();
      const key = await commands.createToken("Editor");
      expect(await whoIs(commands.send, token(key))).toBe(username);
      const row = (await tokens()).at(-1);
      expect(row?.scopes).toBe(
        "bookmarks:read bookmarks:write posts:read posts:write comments:moderate account",
      );
      expect(lifetimeOf(row)).toBe(90 * DAY);
      expect(Date.parse(row?.created_at ?? "")).toBeWithin(before, Date.now() + 1);
      expect(key).toStartWith(`cmpl_${row?.id}_`);
    });

    test("create accepts a name, an expiry and scopes; repeated scopes count once", async () => {
      const scopes = ["--scope", "posts:read", "--scope", "bookmarks:read", "--scope", "posts:read"];
      const key = await commands.createToken(username, "--name", "backup", "--expires", "12h", ...scopes);
      const row = (await tokens()).at(-1);
      expect(row?.name).toBe("backup");
      expect(row?.scopes.split(" ").toSorted()).toEqual(["bookmarks:read", "posts:read"]);
      expect(lifetimeOf(row)).toBe(DAY / 2);
      expect((await commands.send("/api/drafts/", { headers: token(key) })).status).toBe(200);
      const json = { title: "First light", content: "Hello." };
      expect((await commands.send(POSTS, { method: "POST", headers: token(key), json })).status).toBe(403);
    });

    test("create takes the account after the flags too", async () => {
      const words = ["token", "create", "--scope", "posts:read", "--expires", "never", username];
      expect(await commands.run(words)).toMatchObject({ code: 0, stderr: "" });
      expect((await tokens()).at(-1)).toMatchObject({ scopes: "posts:read", expires_at: null });
    });

    test("create makes a token for an assistant, without other scopes", async () => {
      const key = await commands.createToken(username, "--scope", "mcp:bookmarks:write");
      expect((await tokens()).at(-1)?.scopes).toBe("mcp:bookmarks:read mcp:bookmarks:write");
      expect((await commands.send("/bookmarks/", { headers: token(key) })).status).toBe(403);
      const mixed = ["token", "create", username, "--scope", "mcp:posts:read", "--scope", "posts:read"];
      expectRefused(await commands.run(mixed), 2, /mcp:…, go with no others/);
    });

    test("list shows the tokens of an account, oldest first, and neither keys nor hashes", async () => {
      const key = await commands.createToken(username, "--name", "new\u001b[31m\u202eline\nbreak");
      await whoIs(commands.send, token(key));
      const ids = (await tokens()).map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
      const { stdout } = await commands.run(["token", "list", "EDITOR"]);
      const lines = stdout.trimEnd().split("\n");
      expect(lines[0]).toMatch(/^id +name +scopes +created_at +expires_at +last_used_at$/);
      // A name can neither break the line nor steer the terminal.
      expect(lines).toHaveLength(ids.length + 1);
      const json = await commands.run(["token", "list", username, "--json"]);
      for (const shown of [stdout, json.stdout]) {
        expect(shown).not.toMatch(/[^\P{C}\n]/u);
        expect(shown).not.toContain(key.slice(-48, -8));
        expect(shown).not.toMatch(/[0-9a-f]{40}/);
      }
    });

    test("list shows when a token was used last", async () => {
      const key = await commands.createToken(username, "--name", "used");
      expect((await tokens()).at(-1)?.last_used_at).toBeNull();
      await whoIs(commands.send, token(key));
      // Written by the server after its response, and before what it is asked to write next.
      await commands.send("/bookmarks/", {
        method: "POST",
        json: { title: "", url: "https://example.com/" },
      });
      expect((await tokens()).at(-1)?.last_used_at).toMatch(/^\d{4}-/);
    });

    test("revoke invalidates a token at once, and no other", async () => {
      const [kept, revoked] = [await commands.createToken(username), await commands.createToken(username)];
      const id = (await tokens()).at(-1)?.id;
      expect(await commands.run(["token", "revoke", String(id)])).toMatchObject({ code: 0, stderr: "" });
      expect((await commands.send(POSTS, { headers: token(revoked) })).status).toBe(401);
      expect((await commands.send(POSTS, { headers: token(kept) })).status).toBe(200);
      expectRefused(await commands.run(["token", "revoke", String(id)]), 1, /No token/);
    });

    test.each(["999999", "0", "-1", "1.5", "abc", "9".repeat(30)])(
      "revoke %j, which is no token, is exit code 1 or 2",
      async (id) => {
        const { code, stdout } = await commands.run(["token", "revoke", id]);
        expect(code).toBeOneOf([1, 2]);
        expect(stdout).toBe("");
      },
    );

    test.each(["create", "list"])("%s for an unknown name is exit code 1 and one line", async (verb) => {
      expectRefused(await commands.run(["token", verb, "nobody"]), 1, /No account nobody/);
    });

    test.each([
      ["--expires", "soon"],
      ["--expires", "0d"],
      ["--expires", "-1d"],
      ["--expires", "90"],
      ["--scope", "posts:delete"],
      ["--scope", "posts:read,posts:write,"],
    ])("create with %s %s is exit code 2 and makes nothing", async (flag, value) => {
      const before = (await tokens()).length;
      const { code, stdout, stderr } = await commands.run(["token", "create", username, flag, value]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(flag);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(await tokens()).toHaveLength(before);
    });

    test("content-key makes, lists and revokes the keys of websites", async () => {
      const made = await commands.run(["content-key", "create", username, "--name", "garden"]);
      expect(made).toMatchObject({ code: 0, stderr: "" });
      expect(made.stdout).toMatch(/^[0-9a-f]{26}\n$/);
      const read = () => commands.send(`/ghost/api/content/posts/?key=${made.stdout.trim()}`);
      expect((await read()).status).toBe(200);
      const listed = await commands.run(["content-key", "list", username, "--json"]);
      const [row] = JSON.parse(listed.stdout) as { id: number; name: string }[];
      expect(row?.name).toBe("garden");
      expect(listed.stdout).not.toContain(made.stdout.trim());
      expect(await commands.run(["content-key", "revoke", String(row?.id)])).toMatchObject({ code: 0 });
      expect((await read()).status).toBe(401);
      expectRefused(await commands.run(["content-key", "revoke", String(row?.id)]), 1, /No Content API key/);
    });

    function tokens(): Promise<TokenRow[]> {
      return commands.tokens(username);
    }

    function lifetimeOf(row: TokenRow | undefined): number {
      return Date.parse(row?.expires_at ?? "") - Date.parse(row?.created_at ?? "");
    }
  },
  { on: oneEngine },
);
