import { blog } from "./en/blog.ts";
import { gettingIn } from "./en/getting-in.ts";
import { indieAuth } from "./en/indie-auth.ts";
import { library } from "./en/library.ts";
import { linkblog } from "./en/linkblog.ts";

/** All texts of the pages, in American English. Another language has the same keys. */
export const en = {
  language: "en",
  /** Stands before the title of a page on which something is wrong. */
  errorTitle: (title: string) => `Error: ${title}`,
  skip: "Skip to the text",
  mainNavigation: "Main",
  footNavigation: "More",
  problems: (count: number) =>
    count === 1 ? "Not saved: one problem to fix" : `Not saved: ${count} problems to fix`,
  notSaved: "Not saved",
  noSuchPage: {
    title: "There is nothing at this address",
    text: "The page may have moved, or it never existed. Try a search:",
    search: "Find in the posts",
    find: "Find",
  },
  forms: {
    timeZone: "Time zone",
    timeZoneHint: "For the dates and times on pages.",
  },
  refused: {
    back: "Go back",
    home: "To the front page",
    requestId: (id: string) => `Request ${id}`,
  },
  signedOut: {
    title: "You are signed out",
    text: "Your session ended before your form arrived. What you typed is not lost:",
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
    import: "Import",
    export: "Export",
    account: "Account",
    signIn: "Sign in",
  },
  /** Notices that are shown once after an action, by the codes of `notices.ts`. */
  notices: {
    "signed-in": "You are signed in.",
    "signed-out": "You are signed out.",
    welcome: "Your account is ready.",
    "settings-saved": "The settings are saved.",
    "theme-saved": "The style sheet is saved.",
    "theme-removed": "The style sheet is removed.",
    "password-changed": "The password is changed. Your other sessions are signed out.",
    "session-ended": "That session is signed out.",
    "key-ended": "The key is revoked.",
    "link-added": "The link is added.",
    "link-saved": "The link is saved.",
    "link-removed": "The link is removed.",
    "links-changed": "The links are changed.",
    "links-restored": "The link is restored.",
    "tags-changed": "The tags are changed.",
    "links-merged": "The links are merged.",
    "change-undone": "The change is undone.",
    "links-imported": "The links are imported.",
    "import-undone": "The import is undone.",
    "feed-ended": "The feed is deleted.",
    "nothing-changed": "Nothing was changed.",
    "post-saved": "The text is saved.",
    "post-published": "The post is published.",
    "post-scheduled": "The post is scheduled.",
    "post-discarded": "The text is discarded.",
    "text-kept": "The other text is kept as a text of its own.",
    "comment-waits": "Thank you. Your comment is waiting for approval.",
    "comment-approved": "The comment is approved.",
    "comments-approved": "The comments are approved.",
    "comment-rejected": "The comment is rejected.",
    "comments-rejected": "The comments are rejected.",
    "comment-removed": "The comment is removed.",
    "comments-removed": "The comments are removed.",
    "links-ended": "No link to this draft works any more.",
  },
  blog,
  gettingIn,
  indieAuth,
  library,
  linkblog,
};

export type Words = typeof en;
export type NoticeCode = keyof Words["notices"];
