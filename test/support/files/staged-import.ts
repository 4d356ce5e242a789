import { stageImport } from "../../../src/transfer/stage-bookmarks.ts";

const NOW = new Date("2026-11-21T06:40:12.345Z");

/** Stages a file and summarizes the result for comparison; of the states, only those that are set are listed. */
export async function whole(file: string | Uint8Array, tags = true) {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  using staged = await stageImport("file", bytes, { now: NOW, tags });
  const all = [...staged.rows.rows()].map((placed) => placed.staged);
  const notes = [...staged.notes, ...all.flatMap((row) => ("notes" in row ? row.notes : []))];
  return {
    format: staged.format,
    toolbar: staged.toolbar,
    bookmarks: all.flatMap((row) => {
      if (!("bookmark" in row)) return [];
      const { url, title, description, createdAt, states } = row.bookmark;
      const set = Object.entries(states).flatMap(([name, isSet]) => (isSet ? [name] : []));
      return { url, title, description, created: createdAt.toISOString(), states: set };
    }),
    refused: all.flatMap((staged) =>
      "refusal" in staged ? [[staged.row.line, staged.refusal.code, staged.row.url, staged.row.title]] : [],
    ),
    rows: all.map(({ row }) => row),
    notes: notes.map(({ line, code }) => [line, code]).sort(([a], [b]) => Number(a) - Number(b)),
  };
}
