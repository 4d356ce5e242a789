import type { Note } from "../remarks.ts";
import { unknownMembersNote } from "./notes.ts";

/** The number of members that are named in the report. */
const NAMED_MAX = 10;
/** The number of members that are told apart. */
const NAMES_MAX = 1_000;

/** The members of a file's bookmarks that have content and no place here, each once. */
export class LeftOut {
  readonly #known: ReadonlySet<string>;
  readonly #names = new Set<string>();

  /** @param known the members that are read, and those that say nothing to people, such as ids */
  constructor(known: readonly string[]) {
    this.#known = new Set(known);
  }

  look(members: Readonly<Record<string, unknown>>): void {
    for (const name in members)
      if (!this.#known.has(name) && hasContent(members[name]) && this.#names.size < NAMES_MAX)
        this.#names.add(name);
  }

  notes(): Note[] {
    const names = [...this.#names];
    if (names.length === 0) return [];
    return [unknownMembersNote(names.slice(0, NAMED_MAX), Math.max(0, names.length - NAMED_MAX))];
  }
}

/** Whether a member says anything. */
function hasContent(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value === "object" && value !== null) return Object.values(value).some(hasContent);
  return value !== null && value !== undefined && value !== false && value !== 0;
}
