import { dateOf } from "../reading/foreign-values.ts";
import type { Members } from "./members.ts";

/** The member by which a generator leaves a file out of its site, or Obsidian out of what it publishes. */
export function hiddenBy(members: Members, now: Date): string | undefined {
  const build = (members.peek("_build") ?? {}) as { readonly render?: unknown };
  const expiry = dateOf(members.peek("expiryDate"));
  if (members.peek("headless") === true) return "headless";
  if (build.render === false || build.render === "never") return "build";
  if (expiry !== undefined && expiry <= now) return "expiryDate";
  if (members.peek("permalink") === false) return "permalink";
  return members.peek("publish") === false ? "publish" : undefined;
}
