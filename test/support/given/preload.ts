/** Loaded into every process of `bun test` (bunfig.toml). */
import fc from "fast-check";
import { testSeed } from "../run/random.ts";
import { give, TALKATIVE, UNHURRIED } from "./given.ts";
import { useUsualReader } from "./usual-reader.ts";

fc.configureGlobal({ seed: testSeed });
give({ timeLimits: UNHURRIED, strangers: TALKATIVE });
useUsualReader();
