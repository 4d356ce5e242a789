import type { RecordLocation } from "../../records/record.ts";
import type { Staging } from "../staging.ts";

/** The number of pictures that a note names. */
const NAMED = 3;

/** What becomes of posts with a picture that is missing, or with several. */
type Outcome = readonly [one: string, several: string];
export const LINKS_STAY: Outcome = ["Its links are unchanged.", "Their links are unchanged."];
export const NO_COVER: Outcome = ["Its post has no cover.", "Their posts have no covers."];

/** Pictures of posts that are not among the files that came along, for one note in the report. */
export class MissingPictures {
  readonly #found = new Map<string, RecordLocation>();

  add(address: string, location: RecordLocation): void {
    if (!this.#found.has(address)) this.#found.set(address, location);
  }

  report(records: Staging, [one, several]: Outcome): void {
    const [first] = this.#found.values();
    if (first === undefined) return;
    const addresses = [...this.#found.keys()];
    const count = addresses.length === 1 ? "1 picture is" : `${addresses.length} pictures are`;
    const more = addresses.length > NAMED ? `, and ${addresses.length - NAMED} more` : "";
    const detail = `${count} not among the files: ${addresses.slice(0, NAMED).join(", ")}${more}. ${addresses.length === 1 ? one : several}`;
    records.note({ ...first, code: "picture_missing", detail });
  }
}
