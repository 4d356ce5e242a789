/** Loaded into every process of `bun test` (bunfig.toml). */
import fc from "fast-check";
import { useProgram } from "../../../src/foreign-process.ts";
import { testSeed } from "../run/random.ts";
import { give, TALKATIVE, UNHURRIED } from "./given.ts";

fc.configureGlobal({ seed: testSeed });
give({ timeLimits: UNHURRIED, strangers: TALKATIVE });
// The one-file executable of a run reads files and extracts pages, as of a server that was started from it: in half the time.
if (process.env.TEST_EXECUTABLE !== undefined) useProgram([process.env.TEST_EXECUTABLE]);
