import { Refusal, StartError } from "../errors.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import type { UploadKind } from "./uploads.ts";

/** What a server and the process that reads a file for it tell each other: files of a folder, and lines. */

/**
 * What the folder has, by name: the file, what to do with it, the records that were read, a copy for the plan of their import, the
 * URLs that the plan asks for and the bookmarks that have them, what the page shows for each choice, the report, and the end.
 */
export const FILES = {
  input: "input",
  request: "request.json",
  records: "records.db",
  plan: "plan.db",
  wanted: "wanted.json",
  found: "found.json",
  previews: "previews.json",
  report: "report.json",
  result: "result.json",
};

/** How a file is to be read; JSON. */
export interface ReadingRequest {
  readonly kind: UploadKind;
  readonly fileName: string;
  readonly now: number;
  /** Whether the records are there, so that only their import is planned. */
  readonly isRead?: boolean;
}

/** What it tells meanwhile, a line each. */
export interface ReadingMessage {
  /** Of all bytes, or rows. */
  readonly progress?: readonly [done: number, total: number];
  /** The positions of the bytes that were read. */
  readonly read?: readonly [start: number, end: number];
  /** The number of records so far. */
  readonly records?: number;
  /** It waits for the bookmarks that have some URLs: files of the folder have both. */
  readonly isAsking?: true;
}

/** What it tells at its end. */
export type ReadingResult =
  /** The number of records; null when the file is none that can be read. */
  | { readonly count: number | null }
  | { readonly unreadable: { readonly reason: string; readonly message: string } }
  | { readonly wrong: { readonly message: string; readonly exitCode: 1 | 2 } }
  | { readonly refused: Pick<Refusal, "reason" | "message" | "errors" | "retryAfter"> }
  | { readonly broken: string };

/** An error as the process that reads tells it. */
export function resultOf(error: unknown): ReadingResult {
  if (error instanceof UnreadableFile)
    return { unreadable: { reason: error.reason, message: error.message } };
  if (error instanceof StartError) return { wrong: { message: error.message, exitCode: error.exitCode } };
  if (error instanceof Refusal) {
    const { reason, message, errors, retryAfter } = error;
    return { refused: { reason, message, errors, retryAfter } };
  }
  return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** The error that was told so. */
export function errorOf(result: Exclude<ReadingResult, { readonly count: unknown }>): Error {
  if ("unreadable" in result) {
    const { reason, message } = result.unreadable;
    return new UnreadableFile(reason, { message });
  }
  if ("wrong" in result) return new StartError(result.wrong.message, result.wrong.exitCode);
  if ("refused" in result) {
    const { reason, message, errors, retryAfter } = result.refused;
    return new Refusal(reason, message, { errors, ...(retryAfter !== undefined && { retryAfter }) });
  }
  return new Error(`The reader of a file failed: ${result.broken}`);
}
