const marks = (count: number) => (count === 1 ? "1 mark" : `${count.toLocaleString("en")} marks`);

/** The page of all marks. */
export const marksPage = {
  title: "Marks",
  intro: "What you have marked in copies of pages, newest first.",
  find: "Search your marks",
  submit: "Search",
  label: "All marks",
  count: marks,
  moreThan: (count: number) => `More than ${marks(count)}`,
  download: "Download as Markdown",
  all: "All marks",
  nothing: "No mark has these words.",
  none: "Nothing is marked yet",
  how: "Open the copy of a page and select some words: a Mark button appears, and the m key does the same. A mark can have a note, and be quoted in a post.",
  /** The link to what can be marked. */
  copies: "Links with a copy",
};
