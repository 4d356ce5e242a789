/** A number with its noun: `1 link`, `2,000 links`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

export const links = (count: number): string => counted(count, "link");

/** @param more whether there are more than that: `1,000+ links` */
export const linksOrMore = (count: number, more: boolean): string =>
  more ? `${count.toLocaleString("en")}+ links` : links(count);
