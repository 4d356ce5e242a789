/**
 * The records of an import in the format of our own archive (docs/archive-format.md), whatever the format of the
 * file. Dates are RFC 3339 texts; authors are names of accounts.
 */
export type { RecordLocation } from "../../kept/staged-record.ts";
export type { RawRecord, RecordKind, RecordOf } from "../../nouns.ts";
