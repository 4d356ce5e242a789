import { counted, links } from "./counted.ts";

/** What agents did with a token. @param name of the token; it may be written in any direction */
export const agents = {
  title: (name: string) => `What ${name} did`,
  intro: "Changes of the last 30 days, newest first. Undoing takes back what nobody else has touched since.",
  none: "It has changed nothing in the last 30 days.",
  /** A token whose name is not known. */
  unnamed: "an agent",
  /** What was done, beside the title of the link or the draft. */
  did: { added: "Added", drafted: "Drafted", revised: "Revised" },
  links,
  isUndone: "undone",
  undo: "Undo",
  undoDay: "Undo all of this day",
  ask: (name: string, day: string) => `Undo all that ${name} did on ${day}?`,
  asked: (changes: number) =>
    `${counted(changes, "change")} will be undone. What somebody else has touched since stays as it is. Added links and drafts can be restored for 30 days.`,
  nothingLeft: "Nothing is left to undo on this day.",
  undoAll: "Undo all",
  back: "All changes",
  keptTitle: "Partly undone",
  kept: (undone: number) =>
    `${undone === 0 ? "Nothing was undone." : "All else is undone."} These stay as they are:`,
  why: {
    changed: "changed since",
    used: "marked, read, kept or merged since",
    edited: "being written",
    published: "published",
    gone: "removed or deleted",
  },
};
