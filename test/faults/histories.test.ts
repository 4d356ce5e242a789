import { describe, expect, test } from "bun:test";
import { runHistories } from "../histories/run.ts";
import { ENGINES } from "../histories/stage.ts";
import { testSeed } from "../support/run/random.ts";

/** A calm and a busy round. In the busy one, servers or PostgreSQL are killed. */
const ROUNDS = 2;

describe("The responses of two servers that are killed under load are linearizable", () => {
  for (const engine of ENGINES)
    test.concurrent(`on ${engine}`, async () => {
      const { faults, ...rest } = await runHistories({
        engine,
        seed: testSeed,
        kills: true,
        duration: Number.POSITIVE_INFINITY,
        rounds: ROUNDS,
      });
      console.log(`${engine}: TEST_SEED=${testSeed} ${JSON.stringify(rest)}`);
      expect(faults).toEqual([]);
      expect(rest.kills + rest.databaseKills).toBe(1);
    });
});
