import type { RequestedImport } from "./uploads.ts";

/** What can be chosen about the import of bookmarks; without tags last, since that lets rows fit for good. */
export const CHOICES: readonly RequestedImport[] = [
  { rule: "skip", tags: true },
  { rule: "update", tags: true },
  { rule: "skip", tags: false },
  { rule: "update", tags: false },
];

/** The number of a choice among {@link CHOICES}. */
export function numberOf({ rule, tags }: RequestedImport): number {
  return CHOICES.findIndex((choice) => choice.rule === rule && choice.tags === tags);
}
