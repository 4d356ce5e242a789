/** Texts of pages that the exports of other programs bring, and pages that the bookmarklet hands over. */
export const bringing = {
  /** A box in the window of the bookmarklet. */
  keepPage: "Keep this page as your browser shows it",
  unkept: "The link is saved. The page itself was not kept: it may be too large, or there is no room.",
  comeAlong: (count: number) =>
    count === 1
      ? "The file also has the text of 1 page. It will be kept as a copy."
      : `The file also has the texts of ${count.toLocaleString("en")} pages. They will be kept as copies.`,
  write: (count: number) => `Import ${texts(count)}`,
  progress: (done: number, total: number) =>
    `The links are imported. ${done.toLocaleString("en")} of ${texts(total)} are done`,
  result(kept: number, thereAlready: number): string {
    const said = [];
    if (kept === 1) said.push("The text of 1 page was kept as a copy.");
    if (kept > 1) said.push(`The texts of ${kept.toLocaleString("en")} pages were kept as copies.`);
    if (thereAlready > 0)
      said.push(`${texts(thereAlready)} ${thereAlready === 1 ? "was" : "were"} there already.`);
    return said.join(" ");
  },
  refused: (count: number) =>
    count === 1
      ? "1 text was not kept. Its link was, so you can try again or keep the page from your browser."
      : `${count.toLocaleString("en")} texts were not kept. Their links were, so you can try again or keep the pages from your browser.`,
  reason: (reason: string, count: number) => `${reason}: ${count.toLocaleString("en")}`,
  reasons: {
    too_large: "Too large",
    too_costly: "Too much markup to be read safely",
    empty: "Without words",
    too_many: "The link has as many copies as it takes",
    storage_full: "There is no room for more copies",
    damaged: "The file of the text cannot be read",
    gone: "The link was removed meanwhile",
  },
  /** What readers have marked in these pages. */
  marks: {
    comeAlong: (count: number, place: keyof typeof PLACES) =>
      `The file has ${highlights(count)}. Highlights become ${PLACES[place]}.`,
    write: (count: number) => `Import ${highlights(count)}`,
    /** What became of them. */
    results: ({ kept, without_copy, in_notes, there_already, reasons }: BroughtMarks) =>
      [
        ["Kept as marks", kept],
        ["Kept as marks of links without a copy, since others may read notes", without_copy],
        ["Put into the notes of links", in_notes],
        ["There already", there_already],
        ["Left out, since a link has as many marks as it takes", reasons.too_many ?? 0],
        ["Left out, since the note of a link would be too long", reasons.too_long ?? 0],
        ["Left out, since they have no words to mark and others may read notes", reasons.public_note ?? 0],
        ["Left out, since no link, or more than one, has the title", reasons.no_link ?? 0],
      ].flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${highlights(Number(count))}.`])),
  },
};

/** What highlights become. */
const PLACES = {
  either: "marks of links that have a copy of their page, and quotations in the notes of others",
  marks: "marks, also of links without a copy of their page, since others may read notes",
  notes: "quotations in the notes of their links",
};

interface BroughtMarks
  extends Readonly<Record<"kept" | "without_copy" | "in_notes" | "there_already", number>> {
  readonly reasons: Partial<Readonly<Record<"too_many" | "too_long" | "public_note" | "no_link", number>>>;
}

function highlights(count: number): string {
  return count === 1 ? "1 highlight" : `${count.toLocaleString("en")} highlights`;
}

function texts(count: number): string {
  return count === 1 ? "1 text" : `${count.toLocaleString("en")} texts`;
}
