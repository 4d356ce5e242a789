import { expect, test } from "bun:test";
import { countAsOwn, ownProcessorSeconds } from "./other-programs.ts";

/** Uses half a second of CPU time. */
const SPIN = [
  process.execPath,
  "-e",
  "for (let all = 0; all < 500_000; ) { const { user, system } = process.cpuUsage(); all = user + system; }",
];

test.skipIf(process.platform !== "linux")(
  "what this process starts is its own, and what it left is not",
  async () => {
    const started = await spentBy(async () => {
      await Bun.spawn(SPIN).exited;
    });
    expect(started).toBeGreaterThan(0.4);
    // A process whose parent has ended is not a descendant of this one. The pipe closes when it ends.
    const orphan = Bun.spawn(["sh", "-c", '"$@" &', "sh", ...SPIN], { stdout: "pipe" });
    const left = await spentBy(() => new Response(orphan.stdout).text());
    expect(left).toBeLessThan(0.4);
  },
);

test.skipIf(process.platform !== "linux")("a process that has detached itself can be counted", async () => {
  const idleAfterwards = [
    ...SPIN.slice(0, -1),
    `${SPIN.at(-1)} console.log("spun"); setInterval(() => {}, 1_000);`,
  ];
  const shell = Bun.spawn(["sh", "-c", '"$@" & echo $!', "sh", ...idleAfterwards], { stdout: "pipe" });
  let output = "";
  for await (const chunk of shell.stdout) {
    output += new TextDecoder().decode(chunk);
    if (output.includes("spun")) break;
  }
  const pid = Number.parseInt(output, 10);
  try {
    const counted = await spentBy(async () => countAsOwn(pid));
    expect(counted).toBeGreaterThan(0.4);
  } finally {
    process.kill(pid);
  }
});

async function spentBy(work: () => Promise<unknown>): Promise<number> {
  const before = ownProcessorSeconds();
  await work();
  return ownProcessorSeconds() - before;
}
