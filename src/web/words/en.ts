import { blog } from "./en/blog.ts";
import { gettingIn } from "./en/getting-in.ts";
import { library } from "./en/library.ts";
import { linkblog } from "./en/linkblog.ts";

/** Everything that the program says in its pages, in American English. Another language has the same keys. */
export const en = {
  language: "en",
  /** Stands before the title of a page on which something is wrong. */
  errorTitle: (title: string) => `Error: ${title}`,
  skip: "Skip to the text",
  mainNavigation: "Main",
  footNavigation: "More",
  problems: (count: number) =>
    count === 1 ? "Nothing is saved yet: one thing to fix" : `Nothing is saved yet: ${count} things to fix`,
  notSaved: "Nothing is saved yet",
  noSuchPage: {
    title: "There is nothing at this address",
    text: "It may have moved, or never have been. The words in the address are a good place to begin:",
    search: "Find in the posts",
    find: "Find",
  },
  forms: {
    timeZone: "Time zone",
    timeZoneHint: "Of the days and times in pages.",
  },
  refused: {
    back: "Go back",
    home: "To the front page",
    requestId: (id: string) => `Request ${id}`,
  },
  signedOut: {
    title: "You are signed out",
    text: "Your session ended before this arrived. Nothing of what you typed is lost:",
    first: "Sign in in a new tab",
    again: "Send it again",
    typed: "What you typed",
  },
  navigation: {
    add: "Add a link",
    library: "Library",
    posts: "Posts",
    write: "Write",
    comments: "Comments",
    links: "Links",
    archive: "Archive",
    search: "Search",
    feed: "Feed",
    api: "API",
    keys: "Keys",
    settings: "Settings",
    export: "Export",
    account: "Account",
    signIn: "Sign in",
  },
  /** What is said once, on the page after something was done; a code of `notices.ts` each. */
  notices: {
    "signed-in": "You are signed in.",
    "signed-out": "You are signed out.",
    welcome: "This server is yours. Begin with what you already have.",
    "settings-saved": "The settings are saved.",
    "password-changed": "The password is changed. Your other sessions have ended.",
    "session-ended": "That session has ended.",
    "key-ended": "That key no longer works.",
    "link-kept": "The link is kept.",
    "link-saved": "The link is saved.",
    "link-removed": "The link is removed.",
    "links-changed": "The links are changed.",
    "links-restored": "The links are back.",
    "tags-changed": "The tags are changed.",
    "links-merged": "The links are one now.",
    "change-undone": "It is as it was before.",
    "links-imported": "The links are imported.",
    "import-undone": "The import is undone.",
    "feed-ended": "That feed has ended.",
    "nothing-changed": "Nothing was changed.",
    "post-saved": "The text is saved.",
    "post-published": "The post is published.",
    "post-scheduled": "The post is scheduled.",
    "post-discarded": "The text is discarded.",
    "text-kept": "The other text is kept as a text of its own.",
    "comment-waits": "Thank you. Your comment waits until somebody has read it.",
    "comments-decided": "Done.",
    "links-ended": "No link to this draft works any more.",
  },
  blog,
  gettingIn,
  library,
  linkblog,
};

export type Words = typeof en;
export type NoticeCode = keyof Words["notices"];
