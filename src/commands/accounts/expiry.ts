import { duration } from "../../config/setting-values.ts";
import { StartError } from "../../errors.ts";

/** When a key ends that is made now, by `--expires`; null: never. @throws StartError */
export function expiryOf(expires: string, now: Date): Date | null {
  if (expires === "never") return null;
  try {
    return new Date(now.getTime() + duration(expires));
  } catch {
    throw new StartError(`--expires: "${expires}" is neither a duration such as 90d or 12h, nor never.`, 2);
  }
}
