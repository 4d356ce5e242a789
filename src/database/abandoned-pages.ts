/** The row of `meta` that says that pages of a SQLite file belong to no table: those of a damaged one that was left behind. */
export const ABANDONED = "abandoned_pages";
