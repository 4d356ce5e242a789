/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";

/** From how many minutes on it matters how long a text is. */
const MINUTES_MIN = 3;

/** How long reading a post takes, if it takes long. */
export function ReadingTime({
  messages,
  minutes,
}: {
  readonly messages: Messages;
  readonly minutes: number;
}): Markup | null {
  return minutes < MINUTES_MIN ? null : <span>{messages.blog.minutes(minutes)}</span>;
}
