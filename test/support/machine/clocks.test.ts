import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HURRIED_FAULTS } from "../run/tiers.ts";

const ROOT = join(import.meta.dir, "../../..");

/** A time that passes, of the machine or of the processor. */
const CLOCK =
  /\b(?:performance\s*\.\s*now\s*\(|cpuUsage|hrtime|Bun\.nanoseconds|performance\s*\.\s*measure|ownProcessorSeconds)/;

/** What may read one besides the faults that judge delays: it judges nothing by it, or runs by hand. */
const MAY_READ: Readonly<Record<string, string>> = {
  "bench/other-programs.test.ts": "a process has used processor time, however much",
  "test/clients/real-articles.ts": "tells what pages cost, by hand",
  "test/faults/kills/moves-interrupted.test.ts": "chooses the moment of a kill",
  "test/faults/power-cuts/power-cuts.ts": "ends after some minutes, by hand",
  "test/histories/mutants-of-reads.ts": "a mistake that lasts for a moment",
  "test/histories/recorder.ts": "the order of calls",
  "test/histories/run.ts": "ends after some minutes, by hand",
  "test/run.ts": "says how long a run took",
  "test/service/cluster/load.ts": "measures an outage, by hand",
  "test/support/machine/clocks.test.ts": "names them",
  "test/support/machine/deadline.ts": "the deadline of a read",
  "test/support/machine/until.ts": "ends a test that would hang",
  "test/support/requests/ask-steadily.ts": "the delays of overloaded.test.ts",
};

/** Tests, with all that only tests use. */
const FILES = [...new Bun.Glob("{src,bench,seed,test}/**/*.{ts,tsx,js}").scanSync(ROOT)]
  .filter((file) => file.startsWith("test/") || /\.test\.tsx?$/.test(file))
  .filter((file) => !HURRIED_FAULTS.includes(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }))
  .toSorted((one, other) => (one.file < other.file ? -1 : 1));

test("no test judges a time, but the faults that judge delays", () => {
  const readers = FILES.filter(({ text }) => CLOCK.test(text)).map(({ file }) => file);
  expect(readers).toEqual(Object.keys(MAY_READ));
});

test("no test is given up before a minute", () => {
  const limits = FILES.flatMap(({ file, text }) =>
    [...text.matchAll(/\bwithin(?::| =) ([\d_]+)|^\s*\}, (\d[\d_]{2,})\);$/gm)].map(([, until, whole]) => ({
      file,
      limit: Number((until ?? whole)?.replaceAll("_", "")),
    })),
  );
  expect(limits).not.toBeEmpty();
  expect(limits.filter(({ limit }) => limit < 60_000)).toEqual([]);
});
