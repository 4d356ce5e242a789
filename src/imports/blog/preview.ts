import { HIDDEN_THERE, type ReportRow } from "../../kept/staged-record.ts";
import { isCounted } from "../../nouns.ts";
import type { RecordNote } from "../../readers/remarks.ts";
import type { SiteImportReport } from "../../transfer/import/import-report.ts";
import type { StagedSite } from "../../transfer/import/staged-file.ts";

/** The number of shown lines of each outcome; the report has all. */
const SHOWN = 50;
/** The number of sites with pictures that are named. */
const SITES_SHOWN = 5;

/** What the page shows of the import of a blog or an archive before it is made. */
export interface BlogPreview
  extends Pick<SiteImportReport, "file" | "format" | "added" | "counts" | "visibility"> {
  readonly lines: Readonly<Record<"added" | "skipped" | "refused" | "hiddenThere", Lines<Line>>>;
  readonly notes: GroupedNotes;
  /** The pictures at other sites, the first of these sites, and the number of the others. */
  readonly pictures: { readonly count: number; readonly hosts: readonly string[]; readonly more: number };
}

/** A record of the report as a page shows it. */
export type Line = Pick<ReportRow, "kind" | "file" | "line" | "title" | "reason" | "detail"> & {
  readonly path?: string | null;
};

/** The first lines of a list, with their total number. */
export interface Lines<T> {
  readonly first: readonly T[];
  readonly count: number;
}

/** The first distinct notes, each with the number of its occurrences, and the number of the others. */
export interface GroupedNotes {
  readonly first: readonly { readonly first: RecordNote; readonly count: number }[];
  readonly more: number;
}

/** The first lines of a list, and how many more there are. */
export class FirstLines implements Lines<Line> {
  readonly first: Line[] = [];
  count = 0;

  add({ kind, file, line, title, reason, detail, path = null }: Line): void {
    this.count++;
    if (this.first.length < SHOWN) this.first.push({ kind, file, line, title, reason, detail, path });
  }
}

/** Makes a preview of the report of a dry run. */
export function blogPreview(report: SiteImportReport, { records }: StagedSite): BlogPreview {
  const lines = {
    added: new FirstLines(),
    skipped: new FirstLines(),
    refused: new FirstLines(),
    hiddenThere: new FirstLines(),
  };
  for (const row of report.rows)
    if (row.reason === HIDDEN_THERE) lines.hiddenThere.add(row);
    else if (row.outcome !== "added" || !isCounted(row.kind)) lines[row.outcome].add(row);
  const { count, sites } = records.pictures;
  const hosts = sites.slice(0, SITES_SHOWN).map(({ host }) => host);
  const { file, format, added, counts, visibility } = report;
  return {
    ...{ file, format, added, counts, visibility, lines },
    notes: grouped(report.notes),
    pictures: { count, hosts, more: sites.length - hosts.length },
  };
}

function grouped(notes: Iterable<RecordNote>): GroupedNotes {
  const byDetail = new Map<string, { readonly first: RecordNote; count: number }>();
  let more = 0;
  for (const note of notes) {
    const known = byDetail.get(note.detail);
    if (known !== undefined) known.count++;
    else if (byDetail.size < SHOWN) byDetail.set(note.detail, { first: note, count: 1 });
    else more++;
  }
  return { first: [...byDetail.values()], more };
}
