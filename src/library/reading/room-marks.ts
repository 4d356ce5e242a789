import { CopyText, type Place } from "../../marks/find-mark.ts";
import type { Mark } from "../../marks/mark.ts";
import { truncateAtWord } from "../../web/truncate.ts";
import type { PlacedMark } from "./marked-text.ts";

/** A mark as the room shows it. */
export interface RoomMark {
  readonly mark: Mark;
  /** Undefined where its words are gone. */
  readonly place: Place | undefined;
}

/** The characters of a note that stand in the margin; the whole note stands below the text. */
const BESIDE_MAX = 200;

/** The marks of a link in the order of a text, then those whose words it does not have. @param html of a copy */
export function marksIn(html: string, marks: readonly Mark[]): RoomMark[] {
  if (marks.length === 0) return [];
  const text = new CopyText(html);
  const startOf = ({ place }: RoomMark) => place?.start ?? Number.MAX_SAFE_INTEGER;
  return marks
    .map((mark) => ({ mark, place: text.find(mark) }))
    .sort((one, other) => startOf(one) - startOf(other));
}

/** Those that are shown in the text. */
export function placedMarks(marks: readonly RoomMark[]): PlacedMark[] {
  return marks.flatMap(({ mark: { id, note }, place }) =>
    place === undefined ? [] : [{ id, ...place, note: truncateAtWord(note, BESIDE_MAX) }],
  );
}
