import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { engines, type TestDatabase } from "../../../test/support/server/engines.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { Refusal } from "../../errors.ts";
import { countAttempt, forgiveAttempt, purgeFailures, subjectsOf } from "./sign-in-throttle.ts";

const START = Date.parse("2026-11-21T06:40:12.345Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const OWNER = "198.51.100.7";

for (const engine of engines)
  describe(`Failed sign-ins (${engine.name})`, () => {
    let testDatabase: TestDatabase;
    let database: Database;
    let now = START;

    beforeAll(async () => {
      testDatabase = await engine.createDatabase();
      database = await openDatabase(testDatabase.url);
    });
    beforeEach(async () => {
      now = START;
      await database.write((sql) => sql`delete from sign_in_failures`);
    });
    afterAll(async () => {
      await database.close();
      await testDatabase[Symbol.asyncDispose]();
    });

    /** Makes a failing attempt. @returns 0 when it is allowed, else the seconds to wait */
    async function fail(username = "editor", address = OWNER): Promise<number> {
      try {
        await database.write((sql) => countAttempt(sql, subjectsOf(username, address), new Date(now)));
        return 0;
      } catch (error) {
        if (error instanceof Refusal && error.reason === "too_many_requests")
          return error.retryAfter ?? Number.NaN;
        throw error;
      }
    }

    async function succeed(username = "editor", address = OWNER): Promise<number> {
      const wait = await fail(username, address);
      if (wait === 0) await database.write((sql) => forgiveAttempt(sql, subjectsOf(username, address)));
      return wait;
    }

    /** Makes failing attempts from many addresses, each of which is allowed, at one moment. */
    async function strangersFail(count: number, username = "editor"): Promise<void> {
      await database.write(async (sql) => {
        for (let index = 0; index < count; index++) {
          const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
          await countAttempt(sql, subjectsOf(username, address), new Date(now));
        }
      });
    }

    test("five are free, then each next one doubles the wait, from a second to a quarter of an hour", async () => {
      for (let count = 0; count < 5; count++) expect(await fail()).toBe(0);
      for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
        expect(await fail()).toBe(wait);
        now += wait * SECOND - 1;
        expect(await fail()).toBe(1);
        now += 1;
        expect(await fail()).toBe(0);
      }
    });

    test("that are refused are not counted: they do not extend the wait", async () => {
      for (let count = 0; count < 5; count++) await fail();
      for (let count = 0; count < 100; count++) expect(await fail()).toBe(1);
      now += SECOND;
      expect(await fail()).toBe(0);
      expect(await fail()).toBe(2);
    });

    test("are forgotten after an hour without another", async () => {
      for (let count = 0; count < 5; count++) await fail();
      now += HOUR - 1;
      expect(await fail()).toBe(0);
      expect(await fail()).toBe(2);
      now += HOUR;
      for (let count = 0; count < 5; count++) expect(await fail()).toBe(0);
      expect(await fail()).toBe(1);
    });

    test("leave no rows behind forever", async () => {
      await strangersFail(30);
      for (let count = 0; count < 12; count++) {
        now += HOUR;
        await fail("someone", "192.0.2.1");
        await purgeFailures(database, new Date(now), 10);
      }
      const rows = await database.read<{ subject: string }>`select subject from sign_in_failures`;
      expect(rows.map(({ subject }) => subject).filter((subject) => !subject.includes("someone"))).toEqual([
        expect.stringContaining("192.0.2.1"),
      ]);
    });

    test("from many networks (/64) of one IPv6 site (/48) are throttled together, without affecting others", async () => {
      const from = (site: number, network: number) =>
        `2001:db8:${site.toString(16)}:${network.toString(16)}::1`;
      for (let count = 0; count < 400; count++) expect(await fail(`name${count}`, from(1, count))).toBe(0);
      expect(await fail("another", from(1, 400))).toBe(1);
      expect(await fail("another", from(2, 400))).toBe(0);
      now += SECOND;
      expect(await fail("another", from(1, 401))).toBe(0);
    });

    test("count for an IPv4 address however it is written", async () => {
      const forms = ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:c000:207", "0:0:0:0:0:FFFF:C000:0207"];
      for (const form of [...forms, "192.0.2.7"]) expect(await fail("editor", form)).toBe(0);
      for (const form of forms) expect(await fail("editor", form)).toBe(1);
    });

    test("are cleared by a sign-in that succeeds", async () => {
      for (let count = 0; count < 4; count++) await fail();
      expect(await succeed()).toBe(0);
      for (let count = 0; count < 5; count++) expect(await fail()).toBe(0);
      expect(await fail()).toBe(1);
    });

    test("delay the right password, too, so that it is indistinguishable from a wrong one", async () => {
      for (let count = 0; count < 5; count++) await fail();
      expect(await succeed()).toBe(1);
      now += SECOND;
      expect(await succeed()).toBe(0);
    });

    test("count for the account and address together: neither another account nor another address waits", async () => {
      for (let count = 0; count < 5; count++) await fail();
      expect(await fail()).toBe(1);
      expect(await fail("other")).toBe(0);
      expect(await fail("editor", "203.0.113.9")).toBe(0);
    });

    test("count for a name without regard to case", async () => {
      for (const name of ["editor", "Editor", "EDITOR", "eDitor", "ediToR"]) expect(await fail(name)).toBe(0);
      expect(await fail("EDITOr")).toBe(1);
    });

    test("count for a name that does not exist as for one that does, of whatever length and characters", async () => {
      for (const name of ["nobody", "x".repeat(10_000), "a b", "🔖".repeat(40), "pair editor", "İ"]) {
        for (let count = 0; count < 5; count++) expect(await fail(name)).toBe(0);
        expect(await fail(name)).toBe(1);
      }
    });

    test("of two names never count together because of similar spellings", async () => {
      for (let count = 0; count < 5; count++) await fail("a", "192.0.2.1");
      expect(await fail("a 192.0.2.1", "192.0.2.1")).toBe(0);
      expect(await fail("a 192.0.2.1", "")).toBe(0);
    });

    test("from one IPv6 network (/64) count together, since one client has all of its addresses", async () => {
      for (let host = 1; host <= 5; host++) expect(await fail("editor", `2001:db8:0:7::${host}`)).toBe(0);
      expect(await fail("editor", "2001:db8:0:7:ffff:ffff:ffff:ffff")).toBe(1);
      expect(await fail("editor", "2001:DB8::7:0:0:0:9")).toBe(1);
      expect(await fail("editor", "2001:db8:0:8::1")).toBe(0);
    });

    test("from one IPv4 address count together, also when it is written as IPv6", async () => {
      for (let count = 0; count < 5; count++) await fail("editor", "192.0.2.1");
      expect(await fail("editor", "::ffff:192.0.2.1")).toBe(1);
      expect(await fail("editor", "::ffff:192.0.2.2")).toBe(0);
    });

    test("of one address alone throttle it from the hundredth on, by at most a minute", async () => {
      for (let count = 0; count < 100; count++) expect(await fail(`name${count}`)).toBe(0);
      for (const [index, wait] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
        expect(await fail(`other${index}`)).toBe(wait);
        now += wait * SECOND;
        expect(await fail(`other${index}`)).toBe(0);
      }
      expect(await fail("editor", "203.0.113.9")).toBe(0);
    });

    test("of one address do not increase with its successes", async () => {
      for (let count = 0; count < 99; count++) await fail(`name${count}`);
      for (let count = 0; count < 20; count++) expect(await succeed()).toBe(0);
      expect(await fail("name99")).toBe(0);
      expect(await fail("name100")).toBe(1);
    });

    test("of an account alone delay only clients that have failed themselves, and only from the thousandth on", async () => {
      await strangersFail(999);
      expect(await fail("editor", OWNER)).toBe(0);
      expect(await fail("editor", OWNER)).toBe(1);
      expect(await fail("editor", "203.0.113.9")).toBe(0);
      expect(await fail("other", OWNER)).toBe(0);
    });

    test("by strangers, however many, do not lock out an owner who mistyped once", async () => {
      await strangersFail(1_100);
      expect(await fail("editor", OWNER)).toBe(0);
      for (let minute = 0; minute < 10; minute++) {
        now += 6 * SECOND;
        expect(await fail("editor", `203.0.113.${minute}`)).toBe(0);
      }
      expect(await succeed("editor", OWNER)).toBe(0);
    });

    test("from before a clock change do not delay anyone", async () => {
      for (let count = 0; count < 5; count++) await fail();
      now -= 24 * HOUR;
      expect(await fail()).toBe(0);
      expect(await fail()).toBe(2);
      now += 2 * SECOND;
      expect(await succeed()).toBe(0);
    });

    test("delay an attempt that arrived before the last of them and had to wait for its turn", async () => {
      for (let count = 0; count < 5; count++) await fail();
      now -= 2 * SECOND;
      expect(await fail()).toBe(1);
      expect(await fail()).toBe(1);
    });

    test("of many people at once after an hour without failures do not wait for each other", async () => {
      const people = Array.from({ length: 10 }, (_, index) => [`name${index}`, `192.0.2.${index}`] as const);
      for (const [username, address] of people) await fail(username, address);
      now += HOUR;
      const other = await openDatabase(testDatabase.url);
      // An attempt that waits for another one, which waits for it, begins again.
      let begun = 0;
      const attempts = people.map(([username, address], index) =>
        (index % 2 === 0 ? database : other).write((sql) => {
          begun++;
          return countAttempt(sql, subjectsOf(username, address), new Date(now));
        }),
      );
      const outcomes = await Promise.allSettled(attempts);
      await other.close();
      expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
      expect(begun).toBe(people.length);
    });
  });
