import { copies as ofLinks } from "./copies.ts";

const { pages, size } = ofLinks;
const number = (count: number) => count.toLocaleString("en");
const links = (count: number) => (count === 1 ? "1 link" : `${number(count)} links`);
const copies = (count: number) => (count === 1 ? "1 copy" : `${number(count)} copies`);

/** When copies of pages are kept, and what became of the requests. */
export const copying = {
  when: {
    label: "Keep a copy of a page",
    choices: [
      {
        value: "never",
        text: "Never",
        hint: "The server fetches no pages. What your browser sends is kept.",
      },
      { value: "asked", text: "When I ask" },
      {
        value: "added",
        text: "When I add its link",
        hint: "Not for links that you import.",
      },
    ],
    isOff: "Fetching pages is turned off on this server with `FETCH_PAGES`. What your browser sends is kept.",
  },
  settings: {
    title: "Copies of pages",
    intro:
      "A copy keeps a page as it is now: its text, its pictures, and the page itself. You can read it here even if the page disappears.",
    when: "When",
    save: "Save",
    room: "Storage",
    taken: (count: number, taken: number, max: number) =>
      `${copies(count)}, ${size(taken)} of ${size(max)} (\`COPIES_MAX\`).`,
    all: "All links",
    noneMissing: "Every link has a copy, or could not be fetched.",
    missing: (count: number) => `${links(count)} ${count === 1 ? "has" : "have"} no copy yet.`,
    cost: (count: number, bytes: number) =>
      `${count === 1 ? "Its page" : "Their pages"}, with pictures, would take about ${size(bytes)}. Each site is asked for one page every two seconds. You can leave this page, and stop at any time.`,
    tooMuch: (count: number) => `There is room for about ${number(count)} of them.`,
    notChosen: "First choose something other than “Never”.",
    start: (count: number) => `Fetch ${pages(count)}`,
    running: (done: number, total: number) => `${number(done)} of ${pages(total)} done.`,
    requests: "Fetching",
  },
  /** In the settings of the site. */
  link: "Copies of pages",
  linkHint: {
    never: "Never kept, unless your browser sends them.",
    asked: "Kept when you ask.",
    added: "Kept when you add a link.",
  },
  failures: {
    title: "Pages not kept",
    intro:
      "The server could not fetch these pages. If your browser shows one, save it there as one file, and send that.",
    none: "Every page that was asked for has a copy.",
    label: "Pages not kept",
    count: pages,
    waiting: (count: number) =>
      count === 0 ? "No page is waiting." : `${pages(count)} waiting to be fetched.`,
    isWaiting: "Waiting to be fetched.",
    stop: "Stop",
    again: "Try all again",
    settings: "When copies are kept",
    newest: "Newest",
  },
  welcome: {
    label: "Keep a copy of pages that you save?",
    hint: "So you can read them even if they disappear. A page takes about 30 kB, plus its pictures.",
    choices: [
      { value: "added", text: "Yes", hint: "The server fetches each page that you add." },
      { value: "asked", text: "When I ask" },
      { value: "never", text: "No" },
    ],
  },
};
