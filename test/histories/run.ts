import { Random } from "../support/run/random.ts";
import { Checker } from "./checker.ts";
import { LAST_READS } from "./history.ts";
import { Recorder } from "./recorder.ts";
import type { EngineName, ServerProcess, Stage } from "./stage.ts";
import { makeStage } from "./stage.ts";
import { type Pace, Workload } from "./workload.ts";

const CLIENTS = { busy: 14, calm: 12 } as const;
/** How long the clients act in each round, in milliseconds. */
const ROUND: Readonly<Record<Pace, number>> = { busy: 1_200, calm: 800 };

export interface RunOptions {
  readonly engine: EngineName;
  readonly seed: number;
  readonly kills: boolean;
  /** The command of the program; by default that of this source tree. */
  readonly command?: string;
  /** No round begins after this time, in milliseconds. */
  readonly duration: number;
  /** The maximum number of rounds. */
  readonly rounds?: number;
}

export interface RunResult {
  readonly faults: readonly string[];
  readonly rounds: number;
  readonly calls: number;
  /** The number of calls without a response, or with one that leaves the outcome open. */
  readonly open: number;
  readonly kills: number;
  readonly databaseKills: number;
  /** The number of operations on single records. */
  readonly checked: number;
  /** The time until the end or the first fault, without the start of the servers. */
  readonly seconds: number;
}

/** Runs clients against two servers, round by round, until a history contradicts the rules or the time is over. */
export async function runHistories(options: RunOptions): Promise<RunResult> {
  const { engine, seed, command } = options;
  await using stage = await makeStage(engine, command);
  const run = new Run(stage, new Random(seed));
  return await run.go(options);
}

class Run {
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #recorder = new Recorder();
  readonly #checker = new Checker();
  readonly #workload: Workload;
  readonly #processes: ServerProcess[] = [];
  #calls = 0;
  #open = 0;
  #kills = 0;
  #databaseKills = 0;

  constructor(stage: Stage, random: Random) {
    this.#stage = stage;
    this.#random = random;
    this.#workload = new Workload(this.#recorder, stage.admin);
  }

  async go({
    kills,
    duration,
    rounds: roundsMax = Number.POSITIVE_INFINITY,
  }: RunOptions): Promise<RunResult> {
    await Promise.all(Array.from({ length: this.#stage.servers }, (_, server) => this.#start(server)));
    const started = performance.now();
    let faults: readonly string[] = [];
    let rounds = 0;
    for (; faults.length === 0 && rounds < roundsMax && performance.now() - started < duration; rounds++) {
      const pace = rounds % 2 === 0 ? "calm" : "busy";
      faults = await this.#round(pace, kills && pace === "busy");
    }
    const seconds = (performance.now() - started) / 1_000;
    const counted = { rounds, calls: this.#calls, open: this.#open, kills: this.#kills };
    return {
      faults,
      ...counted,
      databaseKills: this.#databaseKills,
      checked: this.#checker.checked,
      seconds,
    };
  }

  async #round(pace: Pace, kills: boolean): Promise<readonly string[]> {
    const end = performance.now() + ROUND[pace];
    let killing = kills;
    const client = async (random: Random) => {
      while (performance.now() < end || killing) {
        const before = performance.now();
        await this.#workload.act(random, pace);
        // If no server listens, nothing is sent. The pause prevents a busy loop.
        if (performance.now() - before < 1) await Bun.sleep(2);
      }
    };
    const clients = Array.from({ length: CLIENTS[pace] }, () =>
      client(new Random(this.#random.below(2 ** 32))),
    );
    if (kills) {
      await Bun.sleep(200 + this.#random.below(ROUND[pace] / 2));
      await this.#kill();
      killing = false;
    }
    await Promise.all(clients);
    await this.#workload.readAll(LAST_READS);
    const calls = this.#recorder.take();
    this.#calls += calls.length;
    this.#open += calls.filter(({ completed }) => completed === Number.POSITIVE_INFINITY).length;
    return this.#checker.check(calls);
  }

  /** Kills one server, all of them, or the database server, and restarts them at once; or lets a standby take over. */
  async #kill(): Promise<void> {
    const { restartDatabase, failOver, servers } = this.#stage;
    if (failOver !== undefined && this.#databaseKills === 0) {
      this.#databaseKills++;
      await failOver();
      return;
    }
    if (restartDatabase !== undefined && this.#random.chance(0.4)) {
      this.#databaseKills++;
      await restartDatabase();
      return;
    }
    this.#kills++;
    const all = this.#random.chance(0.25);
    const killed = all ? Array.from({ length: servers }, (_, index) => index) : [this.#random.below(servers)];
    await Promise.all(
      killed.map(async (server) => {
        await this.#processes[server]?.kill();
        this.#recorder.setPort(server, undefined);
      }),
    );
    await Promise.all(killed.map((server) => this.#start(server)));
  }

  async #start(server: number): Promise<void> {
    const started = await this.#stage.start(server);
    this.#processes[server] = started;
    this.#recorder.setPort(server, started.port);
  }
}
