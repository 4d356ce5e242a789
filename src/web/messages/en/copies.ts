const words = (count: number) => (count === 1 ? "1 word" : `${count.toLocaleString("en")} words`);
const minutes = (count: number) => (count === 1 ? "1 minute" : `${count.toLocaleString("en")} minutes`);
const pages = (count: number) => (count === 1 ? "1 page" : `${count.toLocaleString("en")} pages`);

/** A size as the server's settings have it: 1,024 bytes are a kB. */
function size(bytes: number): string {
  const [divisor, unit] =
    bytes < 1024 ** 2 ? [1024, "kB"] : bytes < 1024 ** 3 ? [1024 ** 2, "MB"] : [1024 ** 3, "GB"];
  const value = Math.max(bytes / divisor, bytes === 0 ? 0 : 1);
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 && unit !== "kB" ? 1 : 0 })}\u00a0${unit}`;
}

/** Copies of pages, where people meet them in the library. */
export const copies = {
  title: "Copies",
  none: "No copy yet. A copy keeps the page as it is now, so you can read it here even if the page disappears.",
  origins: { browser: "sent by your browser", fetched: "fetched by the server", imported: "imported" },
  words,
  minutes,
  pages,
  size,
  /** Of a copy without words, such as a PDF. */
  noText: "no text",
  /** In a row of a list. */
  inRow: {
    read: "Read the copy: ",
    minutes: (count: number) => `${count.toLocaleString("en")} min`,
    noText: "copy",
    open: "Open the page at ",
    gone: "page gone",
  },
  /** Of the one of several that the room opens. */
  isRead: "the one you read",
  read: "Read",
  original: "Saved page",
  download: "Download",
  /** After the name of an action, for screen readers. */
  of: (when: string) => `the copy of ${when}`,
  remove: "Delete",
  forGood: "This copy will be deleted for good. You can’t undo this.",
  confirm: "Delete this copy",
  keep: "Keep a copy",
  keepAnother: "Keep another copy",
  keepHint: "The server fetches the page as anyone would see it.",
  waiting: "The page is being fetched. Its copy will appear here; you can leave this page meanwhile.",
  /** Without scripts, the page does not do this itself. */
  lookAgain: "Look again",
  /** @param copies those that the link has already */
  failed: (copies: number) => (copies === 0 ? "No copy was kept." : "No new copy was kept."),
  /** Why a page could not be kept, by the codes of `copies/fetching/copy-failure.ts`. */
  failures: {
    "sign-in": "The page asks for a sign-in or a payment.",
    robots: "The site does not let programs fetch this page.",
    gone: "The page no longer exists.",
    "no-page": "This address is neither a web page nor a PDF.",
    "no-text": "The page shows no text without JavaScript.",
    "too-large": "The page is too large for the server to fetch.",
    "not-public": "The address is not on the public internet.",
    redirects: "The address keeps redirecting.",
    unreachable: "The site did not answer, even after several tries.",
    "too-many": "This link already has the maximum number of copies. Delete one first.",
    "no-room": "There is no room for more copies on this server.",
  },
  ways: {
    send: "Send a saved page",
    copies: "See its copies",
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
    missing: "Choose a file.",
    tooLarge: (megabytes: number) => `The file is too large. A page may have at most ${megabytes} MB.`,
    wrongType: "Only web pages (HTML) and PDFs can be kept.",
    tooMany: (count: number) =>
      `This link has ${count.toLocaleString("en")} copies, the maximum. Delete one first.`,
    full: "There is no room for more copies on this server. Delete some, or give them more room.",
  },
  /** Of selected links. */
  selected: {
    keep: "Keep a copy",
    done: (count: number) => `The server is fetching ${pages(count)}, one after another.`,
    tooMany: (most: number) => `Select at most ${most.toLocaleString("en")} links to keep copies of them.`,
    none: "This server does not fetch pages.",
  },
  /** After filters of a search, in the help for it. */
  search: {
    copy: " finds links with a copy, ",
    mark: " links with marks, ",
    unread: " links to read later, and ",
    archived: " archived ones.",
  },
  settings: {
    label: "Copies of pages",
    titleOpensCopy: "The title of a link opens its copy, if it has one",
    titleOpensCopyHint: "The name of the site beside it then opens the page itself.",
  },
};
