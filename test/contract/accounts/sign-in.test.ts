import { describe, expect, spyOn, test } from "bun:test";
import * as hashing from "../../../src/accounts/sign-in/password.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { describeSite, oneEngine, sendOver, watched } from "../../support/pages/site.ts";
import { disableAccount, makeAccount } from "../../support/records/accounts.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import { PASSWORD, SESSION, signIn, TOKEN, WRONG } from "../../support/requests/sign-in.ts";
import { fullRunTest } from "../../support/run/full-run.ts";

const HOUR = 60 * 60 * 1000;

const clock = new StoppedClock();

describeSite(
  "Signing in",
  (site) => {
    let addresses = 0;

    /** An address that no other test comes from. */
    function newAddress(): string {
      addresses++;
      return `198.51.100.${addresses}`;
    }

    interface Someone {
      readonly username: string;
      readonly address?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }

    /** Tries a wrong password, a number of times, one after the other; the statuses. */
    async function fail(someone: Someone, { times = 1, send = site.send as Send } = {}): Promise<number[]> {
      const statuses = [];
      for (let count = 0; count < times; count++)
        statuses.push((await signIn(send, TOKEN, { ...someone, password: WRONG })).status);
      return statuses;
    }

    async function succeed(someone: Someone): Promise<number> {
      return (await signIn(site.send, TOKEN, someone)).status;
    }

    describe("with a wrong password", () => {
      test("is 401 five times, then 429 with Retry-After, which grows with each further failure", async () => {
        const someone = { ...(await site.createAccount()), address: newAddress() };
        expect(await fail(someone, { times: 5 })).toEqual([401, 401, 401, 401, 401]);
        for (const wait of [1, 2, 4]) {
          const refused = await signIn(site.send, TOKEN, { ...someone, password: WRONG });
          expect(refused.headers.get("retry-after")).toBe(String(wait));
          expect(refused.headers.has("www-authenticate")).toBe(false);
          await expectProblem(refused, 429);
          clock.move(wait * 1_000);
          expect(await fail(someone)).toEqual([401]);
        }
      });

      test("delays the right one, too, for a token and for a session, until Retry-After has passed", async () => {
        const someone = { ...(await site.createAccount()), address: newAddress() };
        await fail(someone, { times: 3 });
        for (const _ of [1, 2]) await signIn(site.send, SESSION, { ...someone, password: WRONG });
        for (const path of [TOKEN, SESSION] as const) {
          const refused = await signIn(site.send, path, someone);
          expect(refused.headers.has("set-cookie")).toBe(false);
          await expectProblem(refused, 429);
        }
        clock.move(1_000);
        expect((await signIn(site.send, SESSION, someone)).status).toBe(200);
      });

      test("does not lock the owner out, who comes from another address", async () => {
        const owner = { ...(await site.createAccount()), address: newAddress() };
        const stranger = { ...owner, address: newAddress() };
        await fail(stranger, { times: 5 });
        expect(await succeed(stranger)).toBe(429);
        expect(await succeed(owner)).toBe(200);
      });

      test("is forgotten after an hour, and after a successful sign-in", async () => {
        const someone = { ...(await site.createAccount()), address: newAddress() };
        expect(await fail(someone, { times: 6 })).toEqual([401, 401, 401, 401, 401, 429]);
        clock.move(HOUR);
        await fail(someone, { times: 4 });
        expect(await succeed(someone)).toBe(200);
        expect(await fail(someone, { times: 6 })).toEqual([401, 401, 401, 401, 401, 429]);
      });

      test("is counted under the address added by the trusted proxy, not under earlier values", async () => {
        const { username } = await site.createAccount();
        const address = newAddress();
        const statuses = [];
        for (const invented of ["192.0.2.1", "192.0.2.2", "192.0.2.3", "unknown", "", "::1"])
          statuses.push(...(await fail({ username, address: `${invented}, ${address}` })));
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      });

      test("is counted under the address of the connection where no proxy is trusted", async () => {
        const { username } = await site.createAccount();
        const send = site.sendWith({ TRUSTED_PROXIES: "10.0.0.1" });
        const statuses = [];
        for (let count = 0; count < 6; count++)
          statuses.push(...(await fail({ username, address: newAddress() }, { send })));
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      });

      test("is verified five times when it arrives fifty times at once, at two servers", async () => {
        const { username } = await site.createAccount();
        await using other = await openApart(site.databaseUrl);
        const sends = [site.database, other.database].map((database) => sendOver(database));
        const attempts = sends.flatMap((send) =>
          Array.from({ length: 25 }, () => fail({ username }, { send })),
        );
        const statuses = (await Promise.all(attempts)).flat();
        expect(statuses.filter((status) => status === 401)).toHaveLength(5);
        expect(statuses.filter((status) => status === 429)).toHaveLength(45);
      });

      test("stays counted when the next attempt cannot be verified", async () => {
        const member = await site.createAccount();
        const someone = { ...member, address: newAddress() };
        const setHash = (hash: string) =>
          site.database.write(
            (sql) => sql`update accounts set password_hash = ${hash} where id = ${member.id}`,
          );
        await fail(someone, { times: 4 });
        await setHash("unreadable");
        expect(await fail(someone)).toEqual([500]);
        await setHash(member.passwordHash);
        expect(await fail(someone, { times: 2 })).toEqual([401, 429]);
      });

      test("is not counted when the request is refused for something else: its body, another site's page", async () => {
        const { username } = await site.createAccount();
        const headers = { "x-forwarded-for": newAddress() };
        for (let count = 0; count < 6; count++) {
          const crossSite = { ...headers, "sec-fetch-site": "cross-site" };
          const json = { username, password: WRONG };
          expect((await site.send(SESSION, { method: "POST", headers: crossSite, json })).status).toBe(403);
          const typed = { username, password: 1 };
          expect((await site.send(TOKEN, { method: "POST", headers, json: typed })).status).toBe(422);
        }
        expect(await succeed({ username, headers })).toBe(200);
      });
    });

    test("works for a client that always sends its old token, or its old cookie, along", async () => {
      const { username } = await site.createAccount();
      for (const headers of [
        { authorization: "Token cmpl_1_worthless" },
        { cookie: "commonplace_session=stale" },
      ] as Record<string, string>[])
        for (const path of [TOKEN, SESSION] as const)
          expect((await signIn(site.send, path, { username, headers })).status).toBe(200);
    });

    test("works ten times at once: sign-ins in progress do not count as failures", async () => {
      const someone = { ...(await site.createAccount()), address: newAddress() };
      const statuses = await Promise.all(Array.from({ length: 10 }, () => succeed(someone)));
      expect(statuses).toEqual(Array(10).fill(200));
    });

    fullRunTest(
      "is refused with 503 and Retry-After when 66 are in progress or waiting, and is not counted then",
      async () => {
        const { username } = await site.createAccount();
        const addresses = Array.from({ length: 80 }, (_, index) => `203.0.113.${index}`);
        const { promise: allHaveCome, resolve } = Promise.withResolvers<void>();
        let come = 0;
        const together = watched(site.database, async (text) => {
          if (!READS_ACCOUNT.test(text)) return;
          come++;
          if (come === addresses.length) resolve();
          await allHaveCome;
        });
        const send = sendOver(together, { TRUSTED_PROXIES: "127.0.0.1" });
        const responses = await Promise.all(
          addresses.map((address) => signIn(send, TOKEN, { username, password: WRONG, address })),
        );
        const refused = responses.filter(({ status }) => status === 503);
        expect(responses.filter(({ status }) => status === 401)).toHaveLength(66);
        expect(refused).toHaveLength(14);
        for (const response of refused) {
          expect(Number(response.headers.get("retry-after"))).toBePositive();
          await expectProblem(response, 503);
        }
        const [row] = await site.database.read<{ n: number }>`
      select sum(failures) as n from sign_in_failures where subject like ${`pair ${username} %`}`;
        expect(Number(row?.n)).toBe(66);
      },
    );
  },
  { clock },
);

describeSite(
  "Hashing a password while signing in",
  (site) => {
    test("is done once, also for a name that does not exist and for a disabled account", async () => {
      await makeAccount(site.database, "known", PASSWORD);
      await disableAccount(site.database, await makeAccount(site.database, "former", PASSWORD));
      for (const username of ["known", "former", "nobody"]) {
        using verify = spyOn(hashing, "verifyPassword");
        expect((await signIn(site.send, TOKEN, { username, password: WRONG })).status).toBe(401);
        expect(verify.mock.calls.map(([password]) => password)).toEqual([WRONG]);
      }
    });

    test("holds nothing: other requests are answered meanwhile", async () => {
      const { username } = await site.createAccount();
      const begun = Promise.withResolvers<void>();
      const hashed = Promise.withResolvers<boolean>();
      using _verify = spyOn(hashing, "verifyPassword").mockImplementation(() => {
        begun.resolve();
        return hashed.promise;
      });
      const attempt = signIn(site.send, TOKEN, { username });
      await begun.promise;
      expect((await site.send("/api/posts/")).status).toBe(200);
      await site.createAccount();
      hashed.resolve(true);
      expect((await attempt).status).toBe(200);
    });
  },
  { on: oneEngine },
);

/** The statement after which the password is checked. */
const READS_ACCOUNT = /from accounts\s+where username_key/;

/** Opens a database once more, as another server does. */
async function openApart(url: string) {
  const database = await openDatabase(url, { clock });
  return { database, [Symbol.asyncDispose]: () => database.close() };
}
