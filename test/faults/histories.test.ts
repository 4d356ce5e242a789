import { describe, expect, test } from "bun:test";
import { runHistories } from "../histories/run.ts";
import { ENGINES } from "../histories/stage.ts";

/** A calm and a busy round. In the busy one, servers or PostgreSQL are killed. */
const ROUNDS = 2;
const seed = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);

describe("The responses of two servers that are killed under load are linearizable", () => {
  for (const engine of ENGINES)
    test.concurrent(`on ${engine}`, async () => {
      const { faults, ...rest } = await runHistories({
        engine,
        seed,
        kills: true,
        duration: Number.POSITIVE_INFINITY,
        rounds: ROUNDS,
      });
      console.log(`${engine}: HISTORY_SEED=${seed} ${JSON.stringify(rest)}`);
      expect(faults).toEqual([]);
      expect(rest.kills + rest.databaseKills).toBe(1);
    });
});
