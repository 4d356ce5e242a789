import { beforeAll, expect, test } from "bun:test";
import { expectRefused } from "../../support/machine/commands.ts";
import { makeToken, withToken } from "../../support/records/accounts.ts";
import type { Send } from "../../support/requests/send.ts";
import { makeMember, PASSWORD, signIn, TOKEN } from "../../support/requests/sign-in.ts";
import { describeApp } from "../../support/server/contract.ts";
import { type Ran, run } from "../../support/server/server.ts";

const NEW = "another long password";

describeApp("After a leak, at the command line", (service) => {
  let send: Send;
  let command: (words: readonly string[], stdin?: string) => Promise<Ran>;
  /** Tokens of two accounts; only those of `editor` leaked. */
  let leaked: Send[];
  let sound: Send;
  beforeAll(async () => {
    const DATABASE_URL = await service.createDatabase();
    const app = await service.startApp({ DATABASE_URL });
    send = app.request;
    command = (words, stdin) => run(words, { env: { DATABASE_URL }, ...(stdin !== undefined && { stdin }) });
    const editor = await makeMember(app.database, "editor");
    const other = await makeMember(app.database, "other");
    const tokenOf = async (account: typeof editor) => withToken(send, await makeToken(app.database, account));
    leaked = [await tokenOf(editor), await tokenOf(editor)];
    sound = await tokenOf(other);
  });
  const statusOf = async (by: Send) => (await by("/api/drafts/")).status;
  const statuses = () => Promise.all([...leaked, sound].map(statusOf));

  test("a new password keeps the tokens, unless they are to be revoked", async () => {
    expect(await command(["account", "password", "editor"], `${NEW}\n`)).toMatchObject({ code: 0 });
    expect(await statuses()).toEqual([200, 200, 200]);
    const { code, stdout } = await command(["account", "password", "editor", "--revoke-tokens"], `${NEW}\n`);
    expect([code, stdout]).toEqual([
      0,
      "The password of editor is changed, and its sessions have ended, and its 2 tokens and other secrets no longer work.\n",
    ]);
    expect(await statuses()).toEqual([401, 401, 200]);
    expect((await signIn(send, TOKEN, { username: "editor", password: NEW })).status).toBe(200);
  });

  test("all tokens of an account are revoked at once", async () => {
    const { stdout } = await command(["token", "revoke", "--account", "other", "--all"]);
    expect(stdout).toBe("The tokens of other are revoked (1).\n");
    expect(await statusOf(sound)).toBe(401);
    expect((await signIn(send, TOKEN, { username: "other", password: PASSWORD })).status).toBe(200);
  });

  test("a revocation that names both a token and an account, or neither wholly, is refused", async () => {
    for (const words of [
      [],
      ["--all"],
      ["--account", "other"],
      ["7", "--account", "other", "--all"],
      ["7", "--all"],
    ])
      expectRefused(await command(["token", "revoke", ...words]), 2, /name a token by its id/);
    expectRefused(await command(["token", "revoke", "--account", "nobody", "--all"]), 1, /No account nobody/);
  });

  test("the only account is removed with --force only", async () => {
    expect(await command(["account", "remove", "other"])).toMatchObject({ code: 0 });
    expectRefused(await command(["account", "remove", "editor"]), 1, /editor is the only account.*--force/);
    expect((await signIn(send, TOKEN, { username: "editor", password: NEW })).status).toBe(200);
    expect(await command(["account", "remove", "editor", "--force"])).toMatchObject({ code: 0 });
    expect((await signIn(send, TOKEN, { username: "editor", password: NEW })).status).toBe(401);
  });
});
