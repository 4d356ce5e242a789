const words = (count: number) => (count === 1 ? "1 word" : `${count.toLocaleString("en")} words`);
const minutes = (count: number) => (count === 1 ? "1 minute" : `${count.toLocaleString("en")} minutes`);
const pages = (count: number) => (count === 1 ? "1 page" : `${count.toLocaleString("en")} pages`);

/** Copies of pages, where people meet them in the library. */
export const copies = {
  title: "Copies",
  none: "There is no copy of this page yet. A copy keeps the page as it is now, and you can read it here, also when the page is gone.",
  origins: { browser: "sent by your browser", fetched: "fetched by the server", imported: "imported" },
  words,
  minutes,
  /** Of a copy without words, such as a PDF. */
  noText: "no text",
  size: (bytes: number) =>
    bytes < 1_000_000
      ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString("en")} kB`
      : `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`,
  /** In a row of a list. */
  inRow: {
    read: "Read the copy: ",
    minutes: (count: number) => `${count.toLocaleString("en")} min`,
    noText: "copy",
  },
  read: "Read",
  original: "Original",
  download: "Download",
  /** After the name of an action, for those who do not see where it stands. */
  of: (when: string) => `the copy of ${when}`,
  remove: "Delete",
  forGood: "This copy is deleted for good. It cannot be undone.",
  confirm: "Delete this copy",
  keep: "Keep a copy",
  keepHint: "The server fetches the page, as everyone sees it.",
  waiting: "The page is being fetched. Its copy appears here. You can leave this page meanwhile.",
  failed: "The page could not be kept.",
  /** Why a page could not be kept, by the codes of `copies/fetching/copy-failure.ts`. */
  failures: {
    "sign-in": "The page asks for a sign-in or a payment.",
    robots: "The site keeps programs out.",
    gone: "There is nothing at this address any more.",
    "no-page": "There is neither a web page nor a PDF at this address.",
    "no-text": "The page shows nothing without scripts.",
    "too-large": "The page is larger than the server fetches.",
    "not-public": "The address is not on the public internet.",
    redirects: "The address leads from one page to the next without an end.",
    unreachable: "The site did not answer, although it was asked several times.",
    "too-many": "The link has as many copies as it takes. Delete one first.",
    "no-room": "There is no room for more copies.",
  },
  ways: {
    send: "Send it from your browser",
    again: "Try again",
    wayback: "Look in the Wayback Machine",
  },
  send: {
    title: "Send a saved page",
    file: "Saved page",
    hint: "A page that your browser or the extension SingleFile has saved as one HTML file, or a PDF.",
    submit: "Send",
  },
  /** Why a page that was sent is not kept, or none is fetched, by the reasons of refusals. */
  refused: {
    title: "No copy was kept",
    missing: "Choose a file.",
    tooLarge: (megabytes: number) => `The file is too large. A page may have at most ${megabytes} MB.`,
    wrongType: "Only web pages (HTML) and PDFs can be kept.",
    tooMany: (count: number) =>
      `This link has ${count.toLocaleString("en")} copies, as many as a link takes. Delete one first.`,
    full: "There is no room for more copies on this server. Delete some, or give them more room.",
    busy: "Many pages are being kept at the moment. Try again.",
  },
  /** Of selected links. */
  selected: {
    keep: "Keep a copy",
    done: (count: number) => `The server fetches ${pages(count)}, one after another.`,
    tooMany: (most: number) => `Select at most ${most.toLocaleString("en")} links to keep copies of them.`,
  },
  settings: {
    label: "Copies of pages",
    titleOpensCopy: "The title of a link opens its copy, if it has one",
    titleOpensCopyHint: "The name of the site beside it then opens the page itself.",
  },
};
