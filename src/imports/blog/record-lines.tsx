/** @jsxImportSource #jsx */

import type { RecordNote } from "../../readers/remarks.ts";
import { RECORD_KINDS } from "../../records/record.ts";
import { decodeIfValid } from "../../text.ts";
import type { RecordCounts, ReportRow, VisibilityCounts } from "../../transfer/import/import-report.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { Section } from "../../web/sections.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local, type SafeUrl, segment } from "../../web/urls.ts";

/** The path of an uploaded file, or of a recorded import. */
export function importUrl(key: string | number, below: "" | "/report.json" | "/undo" = ""): SafeUrl {
  return local(`/write/import/${segment(String(key))}${below}`);
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

/** The number of shown lines of each outcome; the report has all. */
const SHOWN = 50;

/** The first lines of a list, and how many more there are. */
export class FirstLines<T> implements Lines<T> {
  readonly first: T[] = [];
  count = 0;

  add(line: T): void {
    this.count++;
    if (this.first.length < SHOWN) this.first.push(line);
  }
}

/** The first distinct notes, each with the number of its occurrences. */
export class GroupedNotes {
  readonly #byDetail = new Map<string, { readonly first: RecordNote; count: number }>();
  /** Remarks that are not shown. */
  more = 0;

  add(note: RecordNote): void {
    const known = this.#byDetail.get(note.detail);
    if (known !== undefined) known.count++;
    else if (this.#byDetail.size < SHOWN) this.#byDetail.set(note.detail, { first: note, count: 1 });
    else this.more++;
  }

  get first(): readonly { readonly first: RecordNote; readonly count: number }[] {
    return [...this.#byDetail.values()];
  }
}

/** How many of the new posts everybody sees, and how many are drafts: first of all. */
export function VisibilityLine({
  counts,
  isDry = false,
  messages,
}: {
  readonly counts: VisibilityCounts;
  readonly isDry?: boolean;
  readonly messages: Messages;
}): Markup | null {
  const { public: shown, draft, scheduled } = counts;
  if (shown + draft + scheduled === 0) return null;
  const { visibility, onlyPublic } = messages.blogImport;
  return (
    <p>
      <b>{visibility(shown, draft, scheduled)}.</b>
      {isDry && shown > 0 && ` ${onlyPublic}`}
    </p>
  );
}

/** The number of new, skipped and invalid records of each kind. */
export function CountsTable({
  counts,
  messages,
}: {
  readonly counts: Readonly<Record<string, RecordCounts>>;
  readonly messages: Messages;
}): Markup {
  const labels = messages.blogImport;
  const order = (kind: string) => (RECORD_KINDS as string[]).indexOf(kind);
  const kinds = Object.entries(counts).toSorted(([a], [b]) => order(a) - order(b));
  const outcomes = (["added", "skipped", "refused"] as const).filter((outcome) =>
    kinds.some(([, count]) => count[outcome] > 0),
  );
  return (
    <table>
      <caption class="unseen">{labels.counts}</caption>
      <thead>
        <tr>
          <th scope="col">{labels.kind}</th>
          {outcomes.map((outcome) => (
            <th scope="col" class="n">
              {labels[outcome]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map(([kind, count]) => (
          <tr>
            <td>{labels.kindsOf(kind)}</td>
            {outcomes.map((outcome) => (
              <td class="n">{count[outcome].toLocaleString(messages.language)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A list of records: what each is, its line in the file, and its future path or why it is not imported. */
export function RecordList({
  title,
  lines,
  messages,
}: {
  readonly title: string;
  readonly lines: Lines<Line>;
  readonly messages: Messages;
}): Markup | null {
  if (lines.count === 0) return null;
  const labels = messages.blogImport;
  return (
    <Section title={title}>
      <ol class="lines">
        {lines.first.map(({ kind, file, line, title: name, reason, detail, path }) => (
          <li>
            <h3>
              {labels.kindOf(kind === "post" && isOfPage(path) ? "page" : kind)}:{" "}
              <bdi>{truncateAtWord(isFile(kind) ? file : name || file, 120)}</bdi>
              {labels.seenBy[reason ?? ""] && ` (${labels.seenBy[reason ?? ""]})`}
            </h3>
            {!isFile(kind) && (
              <p class="quiet">
                <bdi>
                  {path ? decodeIfValid(path, decodeURI) : labels.line(truncateAtWord(file, 120), line)}
                </bdi>
              </p>
            )}
            {detail !== null && (
              <p>
                <bdi>{detail}</bdi>
              </p>
            )}
          </li>
        ))}
        <More count={lines.count - lines.first.length} messages={messages} />
      </ol>
    </Section>
  );
}

/** Whether a path is that of a static page: posts are all in one folder. */
function isOfPage(path: string | null | undefined): boolean {
  return path !== null && path !== undefined && !path.startsWith("/posts/");
}

/** What could not be imported unchanged. */
export function NoteList({
  notes,
  messages,
}: {
  readonly notes: GroupedNotes;
  readonly messages: Messages;
}): Markup | null {
  const { first, more } = notes;
  if (first.length === 0) return null;
  return (
    <Section title={messages.library.importing.notes}>
      <ol class="lines">
        {first.map(({ first: { file, line, detail }, count }) => (
          <li>
            <bdi>{detail}</bdi>
            {file !== "" && (
              <p class="quiet">
                {count > 1 && `${messages.blogImport.places(count)} `}
                <bdi>{messages.blogImport.line(truncateAtWord(file, 120), line)}</bdi>
              </p>
            )}
          </li>
        ))}
        <More count={more} messages={messages} />
      </ol>
    </Section>
  );
}

/** The whole report as a file. */
export function ReportLink({
  url,
  messages,
}: {
  readonly url: SafeUrl;
  readonly messages: Messages;
}): Markup {
  return (
    <a class="button plain" href={url} download>
      {messages.blogImport.report}
    </a>
  );
}

function More({ count, messages }: { readonly count: number; readonly messages: Messages }): Markup | null {
  return count > 0 ? <li class="quiet">{messages.library.importing.more(count)}</li> : null;
}

/** Whether a record is a file of the archive, and has no name of its own. */
function isFile(kind: string): boolean {
  return kind === "image" || kind === "file";
}
