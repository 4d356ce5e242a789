import { expect, test } from "bun:test";
import { until } from "../test/support/machine/until.ts";
import { countAsOwn, ownProcessorSeconds, processorSecondsOf } from "./other-programs.ts";

/** Uses half a second of CPU time. */
const SPIN = [
  process.execPath,
  "-e",
  "for (let all = 0; all < 500_000; ) { const { user, system } = process.cpuUsage(); all = user + system; }",
];

/** `bun test --no-orphans` would end a program of Bun as soon as the shell that started it has ended. */
const WITHOUT_PARENT = 'unset BUN_FEATURE_FLAG_NO_ORPHANS; "$@"';

test.skipIf(process.platform !== "linux")("what this process starts is its own", async () => {
  const started = await spentBy(async () => {
    await Bun.spawn(SPIN).exited;
  });
  expect(started).toBeGreaterThan(0.4);
});

test.skipIf(process.platform !== "linux")(
  "a process whose parent has ended is not its own, but can be counted",
  async () => {
    const spinOn = [process.execPath, "-e", "for (;;);"];
    const shell = Bun.spawn(["sh", "-c", `${WITHOUT_PARENT} >/dev/null & echo $!`, "sh", ...spinOn], {
      stdout: "pipe",
    });
    const pid = Number(await new Response(shell.stdout).text());
    try {
      await until("it has used half a second", async () => processorSecondsOf(pid) > 0.5);
      const own = ownProcessorSeconds();
      expect(processorSecondsOf(process.pid, pid) - own).toBeGreaterThan(0.4);
      const counted = await spentBy(async () => countAsOwn(pid));
      expect(counted).toBeGreaterThan(0.4);
    } finally {
      process.kill(pid);
    }
  },
);

async function spentBy(work: () => Promise<unknown>): Promise<number> {
  const before = ownProcessorSeconds();
  await work();
  return ownProcessorSeconds() - before;
}
