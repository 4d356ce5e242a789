import type { ManyChanged } from "../bookmarks/bulk/change-many.ts";

/** What can be done to selected bookmarks. */
export const BULK_ACTIONS = [
  "add",
  "take",
  "read",
  "unread",
  "archive",
  "unarchive",
  "remove",
  "copy",
] as const;

/** What was done to how many of the selected bookmarks, as the subject of a notice. */
export interface BulkDone extends ManyChanged {
  readonly action: (typeof BULK_ACTIONS)[number];
  readonly selected: number;
}

/** The subject of the notice `links-changed`. */
export function writeBulkNotice({ action, changed, selected, undo }: BulkDone): string {
  return [action, changed, selected, ...(undo === null ? [] : [undo])].join("-");
}

/** Reads the subject of a notice; undefined if it is of another form. */
export function readBulkNotice(about: string): BulkDone | undefined {
  const [, action, changed, selected, undo = null] = /^([a-z]+)-(\d+)-(\d+)(?:-(\w+))?$/.exec(about) ?? [];
  const known = BULK_ACTIONS.find((one) => one === action);
  return known && { action: known, changed: Number(changed), selected: Number(selected), undo };
}
