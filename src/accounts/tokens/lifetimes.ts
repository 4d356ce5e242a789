import { z } from "zod";

/** How many days a key made on a page is valid; null: until it is revoked. */
const LIFETIMES = { never: null, "90": 90, "365": 365 } as const;

/** The choice of a lifetime in a form. */
export const Lifetime = z.enum(["never", "90", "365"]).transform((choice) => LIFETIMES[choice]);

/** When a key that is made now ends. @param days null: never */
export function endAfter(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * 86_400_000);
}
