import { getPriority, setPriority } from "node:os";

/** How much a process gives way to others (nice(2)): 10 of 19. */
const NICENESS = 10;

/** A server's requests come first; what this process does takes a little longer for it. */
export function lowerPriority(): void {
  try {
    setPriority(Math.max(getPriority(), NICENESS));
  } catch {
    // A sandbox may forbid it; then this one is as important as the others.
  }
}
