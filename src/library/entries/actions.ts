import type { BookmarkStates } from "../../records/bookmark-members.ts";
import { KEYS } from "../keys.ts";

/** What can be done to one link in one step, and what reverts it. */
const INVERSE = {
  read: "unread",
  postpone: "resume",
  archive: "unarchive",
  unread: "read",
  resume: "postpone",
  unarchive: "archive",
} as const;
export type Action = keyof typeof INVERSE;

/** The states that an action sets; *postpone* and *resume* only put a link off, and bring it back. */
export const STATES: Partial<Record<Action, Partial<BookmarkStates>>> = {
  read: { unread: false },
  unread: { unread: true },
  archive: { archived: true },
  unarchive: { archived: false },
};

/** The keys of the list that press the buttons. */
export const KEY_OF: Readonly<Record<Action, string>> = {
  read: KEYS.read,
  unread: KEYS.read,
  archive: KEYS.archive,
  unarchive: KEYS.archive,
  postpone: KEYS.postpone,
  resume: KEYS.postpone,
};

export interface Act {
  readonly action: Action;
  readonly id: number;
  /** The link to show then, if not the same. */
  readonly next: number | undefined;
}

/** An action and the id of a link, as `archive-17`; perhaps with the link to show then, as `archive-17-16`. */
export function readAction(act: string): Act | undefined {
  const [, action = "", id, next] = /^([a-z]{1,9})-([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/.exec(act) ?? [];
  return Object.hasOwn(INVERSE, action)
    ? { action: action as Action, id: Number(id), next: next === undefined ? undefined : Number(next) }
    : undefined;
}

export function inverseOf({ action, id }: Act): string {
  return `${INVERSE[action]}-${id}`;
}
