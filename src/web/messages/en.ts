import { agents } from "./en/agents.ts";
import { blog } from "./en/blog.ts";
import { blogImport } from "./en/blog-import.ts";
import { bringing } from "./en/bringing.ts";
import { copies } from "./en/copies.ts";
import { copying } from "./en/copying.ts";
import { editor } from "./en/editor.ts";
import { find } from "./en/find.ts";
import { frame } from "./en/frame.ts";
import { gettingIn } from "./en/getting-in.ts";
import { indieAuth } from "./en/indie-auth.ts";
import { library } from "./en/library.ts";
import { link } from "./en/link.ts";
import { linkblog } from "./en/linkblog.ts";
import { marksPage } from "./en/marks.ts";
import { picturing } from "./en/picturing.ts";
import { reading } from "./en/reading.ts";
import { today } from "./en/today.ts";

/** All texts of the pages, in American English. Another language has the same keys. */
export const en = {
  language: "en",
  /** Stands before the title of a page on which something is wrong. */
  errorTitle: (title: string) => `Error: ${title}`,
  knownTags: "Known tags",
  skip: "Skip to content",
  /** Of a search, as one types or when it is sent, and of the field for everything. */
  unreached: "Not searched: the server can’t be reached. Try again.",
  mainNavigation: "Main",
  moreOfMenu: (count: number) => `${count} more`,
  footNavigation: "More",
  /** Above the errors of a form, by what did not happen. */
  problems: {
    save: problems("Not saved"),
    change: problems("Not changed"),
    send: problems("Not sent"),
    share: problems("Not shared"),
    publish: problems("Not published"),
    import: problems("Not imported"),
    allow: problems("Not allowed yet"),
    signIn: problems("Not signed in"),
    createAccount: problems("The account was not created"),
    changePassword: problems("The password was not changed"),
    removeAccount: problems("The account was not deleted"),
    createKey: problems("The token was not created"),
    rename: problems("Not renamed"),
    merge: problems("Not merged"),
    delete: problems("Not deleted"),
    keep: problems("No copy was kept"),
  },
  /** The error of a field, above the form. A sentence without a subject is about the field: “Name may not be empty.” */
  fieldError: (label: string, detail: string) =>
    /^(?:May|Must) /.test(detail)
      ? `${label} ${detail.charAt(0).toLowerCase()}${detail.slice(1)}`
      : `${label}: ${detail}`,
  notSaved: "Not saved",
  copy: { copy: "Copy", copied: "Copied" },
  noSuchPage: {
    title: "There is nothing at this address",
    text: "The page may have moved, or it never existed.",
    searchInstead: "Search the posts:",
    search: "Search posts",
    find: "Search",
  },
  forms: {
    timeZone: "Time zone",
    showPassword: "Show",
    timeZoneHint: "Used for the dates and times on pages.",
    /** Instead of the API's details, by their codes. */
    errors: {
      url_invalid: "Enter a full web address, starting with https://",
      url_scheme: "Enter a web address, starting with https:// or http://",
      slug_invalid:
        "Use up to 100 lower-case letters, digits and hyphens, with at least one letter. Names of pages such as archive are taken.",
    } as Partial<Record<string, string>>,
  },
  refused: {
    home: "Go to the front page",
    /** Instead of the titles of HTTP, by status. */
    titles: {
      400: "This request cannot be read",
      403: "This is not allowed",
      409: "This is not possible now",
      412: "This has changed in the meantime",
      413: "This is too large",
      422: "This address has a mistake",
      429: "Too many requests",
      500: "Something went wrong",
      503: "This is not available right now",
      507: "The server has no space left",
    } as Partial<Record<number, string>>,
    typedIsKept: "What you typed has been kept: send it again later.",
    tooLarge: "What you sent is larger than this server accepts. Go back and send less.",
    again: "Try again",
    wrongPage: "This list has no such page",
    firstPage: "Go to the first page",
  },
  signedOut: {
    title: "You are signed out",
    text: "Your session ended before you submitted the form. What you typed has been kept.",
    first: "Sign in again, in a new tab",
    again: "Send it again",
    typed: "What you typed",
  },
  navigation: {
    add: "Add a link",
    today: "Today",
    find: "Search or jump",
    library: "Library",
    posts: "Posts",
    write: "Write",
    comments: "Comments",
    links: "Linkblog",
    archive: "Archive",
    tags: "Tags",
    search: "Search",
    feed: "Feed",
    api: "API",
    keys: "Tokens",
    settings: "Settings",
    look: "Look",
    import: "Import",
    export: "Export",
    account: "Account",
    signIn: "Sign in",
  },
  /** Why nothing can be stored, above every page for those who are signed in. */
  obstacles: {
    read_only: "This server is read-only at the moment. Everything can be read; nothing can be changed.",
    storage_full: "The disk of this server is full. Nothing new can be saved; you can still read and delete.",
  },
  /** Notices that are shown once after an action, by the codes that `seeOther` is given. */
  notices: {
    "signed-out": "You are signed out.",
    welcome: "Your account is ready.",
    "settings-saved": "Settings saved.",
    "menu-saved": "Menu saved. Your readers see it now.",
    "look-saved": "Look saved. Your readers see it now.",
    "theme-saved": "Style sheet saved.",
    "theme-removed": "Style sheet removed.",
    "name-changed": "Name saved.",
    "password-changed": "Password changed. Your other sessions were signed out.",
    "account-removed": "Your account is deleted.",
    "session-ended": "The other browser was signed out.",
    "key-ended": "Token revoked.",
    "link-added": "Link added.",
    "link-saved": "Link saved.",
    "link-removed": "Link removed.",
    "links-changed": "Links changed.",
    "link-dealt-with": "Done.",
    "copy-kept": "Copy kept.",
    "copy-chosen": "You read this copy from now on.",
    "copy-asked": "The server is fetching the page.",
    "copy-deleted": "Copy deleted.",
    "mark-removed": "Mark removed.",
    "mark-changed": "Note saved.",
    "copies-asked": "The server is fetching the pages.",
    "copies-stopped": "Stopped. Nothing is waiting to be fetched.",
    "pictures-asked": "The server reads the pages.",
    "pictures-stopped": "Stopped. What was read stays.",
    restored: "Restored.",
    "tags-changed": "Tags changed.",
    "links-merged": "Links merged.",
    "change-undone": "Change undone.",
    "import-undone": "Import undone.",
    "feed-ended": "Feed deleted.",
    "share-ended": "The list is no longer shared.",
    "nothing-changed": "Nothing was changed.",
    "nothing-selected": "Nothing is selected, so nothing was changed.",
    "post-saved": "Saved.",
    "version-restored": "Version restored.",
    "version-restored-unpublished": "Version restored. Readers see it once you press Update.",
    "image-added": "Picture added at the end of the text. Write what it shows between its square brackets.",
    "quote-begun": "Quoted in a new draft.",
    "quote-added": "Quoted at the end of this draft.",
    "post-published": "Published.",
    "post-updated": "Updated.",
    "post-scheduled": "Scheduled.",
    "post-discarded": "Discarded.",
    "post-unpublished": "Unpublished. It is a draft again.",
    "post-unpublished-images":
      "Unpublished. It is a draft again. Anyone with the addresses of its pictures can still open them; you can delete them with the draft.",
    "post-unscheduled": "The draft will not be published automatically.",
    "post-deleted": "Draft removed.",
    "text-kept": "The other version was kept as a separate draft under Write.",
    "comment-waits": "Thank you. Your comment is waiting for approval.",
    "comment-approved": "Comment approved.",
    "comment-answered": "Comment approved. Your reply is published.",
    "comment-replied": "Your reply is published.",
    "comments-approved": "Comments approved.",
    "comment-not-approved": "Not approved: the post has the maximum number of comments.",
    "comments-not-approved": "Some were not approved: their post has the maximum number of comments.",
    "comment-rejected": "Comment rejected.",
    "comments-rejected": "Comments rejected.",
    "comment-removed": "Comment removed.",
    "comments-removed": "Comments removed.",
    "links-ended": "All links to this draft were revoked.",
  },
  blog,
  blogImport,
  bringing,
  copies,
  copying,
  editor,
  link,
  agents,
  marksPage,
  picturing,
  find,
  frame,
  gettingIn,
  indieAuth,
  library,
  linkblog,
  reading,
  today,
};

function problems(result: string) {
  return (count: number) =>
    count === 1 ? `${result}: one problem to fix` : `${result}: ${count} problems to fix`;
}

export type Messages = typeof en;
export type NoticeCode = keyof Messages["notices"];
