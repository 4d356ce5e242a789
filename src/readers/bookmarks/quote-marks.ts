/** Pinboard puts the text that was selected on a page between these marks: the text alone is the note. */
const MARK = /<\/?blockquote>/i;

/** A note of Pinboard without the marks of a quotation, whose parts are paragraphs. */
export function withoutQuoteMarks(note: string): string {
  if (!MARK.test(note)) return note;
  const parts = note.split(MARK).map((part) => part.trim());
  return parts.filter((part) => part !== "").join("\n\n");
}
