import { getPriority, setPriority } from "node:os";

/** The nice(2) value of background commands, of at most 19. */
const NICENESS = 10;

/** Lowers the priority of this process, so that a server's requests come first. */
export function lowerPriority(): void {
  try {
    setPriority(Math.max(getPriority(), NICENESS));
  } catch {
    // A sandbox may forbid it; the priority then stays as it is.
  }
}
