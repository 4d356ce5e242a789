/** The names of the formats that are read, as reports have them. */
export type FormatName =
  | "netscape"
  | "commonplace-json"
  | "commonplace-csv"
  | "pinboard"
  | "raindrop"
  | "pocket"
  | "instapaper"
  | "linkding"
  | "karakeep"
  | "firefox"
  | "chrome";

/** What the numbers of rows count: lines, or bookmarks where a file may be one long line. */
export type CountedBy = "line" | "bookmark";
