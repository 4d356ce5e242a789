import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CONTROLS, omittedBy } from "./controls.ts";
import { explore, stateFolder, statesUntilViolation } from "./explorer.ts";
import { Recording } from "./recording.ts";
import { canRecord } from "./trace.ts";

/** `npm run power-cuts` uses larger numbers. */
const SIZE = { writes: 10, clients: 2, imported: 40 };
const STATES = 80;

if (!canRecord) console.log("No strace can be used here: power cuts are skipped.");

describe.skipIf(!canRecord)("Of the states that power cuts could leave,", () => {
  const seed = Date.now() % 1_000_000;
  const folder = stateFolder();
  let recording: Recording;
  let isKept = false;

  beforeAll(async () => {
    recording = await Recording.make(seed, SIZE);
  });

  afterAll(() => {
    folder[Symbol.dispose]();
    if (!isKept) recording?.[Symbol.dispose]();
  });

  test(`${STATES} have everything that was confirmed, nothing that was deleted, and no damage`, async () => {
    const violations = await Array.fromAsync(
      explore(recording, { seed, from: 0, to: STATES, folder: folder.path }),
    );
    isKept = violations.length > 0;
    const [first] = violations;
    if (first !== undefined)
      console.log(
        `npm run power-cuts -- --recording ${recording.folder} --seed ${seed} --state ${first.number}`,
      );
    expect(violations).toEqual([]);
  });

  for (const control of CONTROLS.filter(({ isRare }) => isRare !== true))
    test(`some break a promise of a server with a mistake: ${control.name}`, async () => {
      const without = omittedBy(control, recording.operations);
      expect(without.size).toBePositive();
      expect(await statesUntilViolation(recording, { seed, folder: folder.path, without })).toBeDefined();
    });
});
