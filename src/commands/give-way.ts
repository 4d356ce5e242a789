import { getPriority, setPriority } from "node:os";

/** How much a process gives way to others (nice(2)): 10 of 19. */
const NICENESS = 10;

/** A server's requests come first; what this process does takes a little longer for it. */
export function giveWay(): void {
  setPriority(Math.max(getPriority(), NICENESS));
}
