/** The keys of the list, by what they do, in the order in which the help names them. */
export const KEYS = {
  find: "/",
  next: "j",
  previous: "k",
  open: "o",
  copy: "r",
  edit: "e",
  read: "m",
  archive: "a",
  tag: "t",
  select: "x",
  remove: "#",
  add: "n",
  postpone: "l",
  undo: "z",
  /** Of every page of the owner, done at the top of `library.js`. */
  anything: "Ctrl K",
  help: "?",
} as const;

/**
 * Those that `library.js` does itself; the others press the control of the current link that has the key,
 * but for `anything`. `e` is also named in `library.css`.
 */
export const DONE_BY_SCRIPT: ReadonlySet<string> = new Set<keyof typeof KEYS>([
  "find",
  "next",
  "previous",
  "open",
  "select",
  "add",
  "help",
]);
