import { copies as ofLinks } from "./copies.ts";

const { pages } = ofLinks;
const number = (count: number) => count.toLocaleString("en");

/** Pictures and titles of the pages of all links. */
export const picturing = {
  title: "Pictures and titles",
  intro:
    "Most pages come with a picture of their own. The server keeps it when you add a link. Links that you have imported have none until their pages are read.",
  kept: (count: number) =>
    count === 0 ? "No page has a picture yet." : `${pages(count)} ${count === 1 ? "has" : "have"} a picture.`,
  all: "All links",
  none: "The pages of all links have been read.",
  missing: (count: number) => `${pages(count)} ${count === 1 ? "has" : "have"} not been read yet.`,
  cost: (count: number) =>
    `Reading takes about ${number(count * 2)} requests, one for each page and one for its picture, and at most one to a site in two seconds. A link without a title gets that of its page; titles that links have stay. You can leave this page, and stop at any time.`,
  start: (count: number) => `Read ${pages(count)}`,
  running: (done: number, total: number) => `${number(done)} of ${pages(total)} done.`,
  stop: "Stop",
  refresh: "Refresh",
  isOff: "This server reads no pages, as is set on the server with `FETCH_PAGES`.",
};
