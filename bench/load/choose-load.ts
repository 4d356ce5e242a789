import type { Load } from "../load.ts";
import { autocannonLoad } from "./autocannon.ts";
import { wrkLoad } from "./wrk.ts";

/** `wrk` if it is installed, since it needs the least CPU time, otherwise `autocannon`. */
export function chooseLoad(): Load {
  return Bun.which("wrk") === null ? autocannonLoad() : wrkLoad();
}
