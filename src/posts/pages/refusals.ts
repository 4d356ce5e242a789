import { Refusal } from "../../errors.ts";

export function nothingAtPath(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
