import { expect, test } from "bun:test";
import { mutatedSources } from "./mutant.ts";
import { MUTANTS_OF_READS } from "./mutants-of-reads.ts";
import { MUTANTS_OF_WRITES } from "./mutants-of-writes.ts";

test("Every mistake still fits the source", () => {
  for (const mutant of [...MUTANTS_OF_READS, ...MUTANTS_OF_WRITES])
    for (const source of mutatedSources(mutant).values())
      expect(() => new Bun.Transpiler({ loader: "ts" }).transformSync(source)).not.toThrow();
});
