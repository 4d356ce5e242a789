import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { hashOfSession } from "../../../src/accounts/sign-in/session.ts";
import { hashOfSecret, parseKey } from "../../../src/accounts/tokens/token.ts";
import { sendTo } from "../../support/requests/send.ts";
import {
  PASSWORD,
  SESSION,
  signIn,
  signInForCookie,
  signInForToken,
  TOKEN,
  WRONG,
} from "../../support/requests/sign-in.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

describe("Secrets at rest", () => {
  test("are hashes: no key, cookie or password is in the database's files or in the log", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("commonplace.db")}` };
    await run(["account", "add", "editor"], { env, stdin: `${PASSWORD}\n` });
    const server = await startServer({ ...env, LOG_LEVEL: "debug" });
    const send = sendTo(server.url);
    const username = "editor";

    const key = await signInForToken(send, { username });
    const cookie = await signInForCookie(send, { username });
    for (const headers of [{ authorization: `Token ${key}` }, { cookie }])
      expect((await send(SESSION, { headers })).status).toBe(200);
    await signIn(send, TOKEN, { username, password: WRONG });
    await send("/api/posts/", { headers: { authorization: `Token ${key}0` } });
    // Somebody puts a secret where none belongs.
    await send(`/api/posts/?token=${key}`);
    expect(await server.stop()).toBe(0);

    const { secret = "" } = parseKey(key) ?? {};
    const cookieValue = cookie.replace(/^[^=]+=/, "");
    const files = readdirSync(folder.path).map((name) => readFileSync(folder.file(name)));
    // What must be there shows that it is the right place that is searched.
    for (const stored of [
      hashOfSecret(secret),
      hashOfSession(cookieValue),
      "$argon2id$v=19$m=19456,t=2,p=1$",
    ])
      expect(files.some((bytes) => bytes.includes(stored))).toBe(true);
    expect(server.lines.filter((line) => line.includes("/api/token/"))).not.toBeEmpty();

    for (const unwanted of [key, secret, cookieValue, PASSWORD, WRONG]) {
      expect(files.some((bytes) => bytes.includes(unwanted))).toBe(false);
      expect(server.lines.filter((line) => line.includes(unwanted))).toEqual([]);
    }
  });
});
