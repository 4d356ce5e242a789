/** The names of the supported formats, as in reports. */
export type FormatName =
  | "netscape"
  | "commonplace-json"
  | "commonplace-csv"
  | "pinboard"
  | "raindrop"
  | "pocket"
  | "instapaper"
  | "matter"
  | "mymind"
  | "readwise"
  | "linkding"
  | "karakeep"
  | "elcurator"
  | "linkwarden"
  | "omnivore"
  | "wallabag"
  | "delicious"
  | "readability"
  | "firefox"
  | "chrome"
  | "markdown-links"
  | "org-links";

/** The unit of row numbers: lines, or bookmarks if a file may be one long line. */
export type RowUnit = "line" | "bookmark";
