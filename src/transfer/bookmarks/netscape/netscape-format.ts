import type { BookmarkFormat } from "../file-row.ts";
import { folderNote } from "../import-notes.ts";
import { hasTerms, NetscapeReader } from "./netscape.ts";

/** The HTML format of browsers and bookmarking services. */
export const netscape: BookmarkFormat = {
  name: "netscape",
  rowUnit: "line",
  isUtf8: false,
  async read({ text, onRow, onNote, pause }) {
    const reader = new NetscapeReader(hasTerms(text.pieces()), {
      onRow,
      onDescribedFolder: (folder) => onNote(folderNote(folder)),
    });
    for (const piece of text.pieces()) {
      reader.write(piece);
      await pause();
    }
    return reader.end();
  },
};
