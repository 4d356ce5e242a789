import type { Messages } from "../web/messages/en.ts";

/** A page that the field leads to by its name. */
export interface Command {
  readonly text: string;
  readonly path: `/${string}`;
}

/** The pages of the owner, with what they are called; the first ones are offered before anything is typed. */
export function commands({
  navigation,
  library,
  copying,
  marksPage,
  picturing,
  blog,
  blogImport,
  gettingIn,
  find,
}: Messages): Command[] {
  const { otherPages } = library;
  return [
    { text: navigation.today, path: "/today" },
    { text: navigation.library, path: "/library" },
    { text: navigation.add, path: "/library/new" },
    { text: find.newPost, path: "/write/new" },
    { text: otherPages.next, path: "/library/later" },
    { text: navigation.write, path: "/write" },
    { text: navigation.comments, path: "/moderation" },
    { text: navigation.settings, path: "/settings" },
    { text: navigation.posts, path: "/" },
    { text: navigation.links, path: "/links" },
    { text: navigation.archive, path: "/archive" },
    { text: marksPage.title, path: "/library/marks" },
    { text: library.tagsPage.title, path: "/library/tags" },
    { text: otherPages.months, path: "/library/months" },
    { text: otherPages.removed, path: "/library/removed" },
    { text: otherPages.duplicates, path: "/library/duplicates" },
    { text: copying.failures.title, path: "/library/copies" },
    { text: picturing.title, path: "/library/pictures" },
    { text: otherPages.feeds, path: "/library/feeds" },
    { text: otherPages.shares, path: "/library/shares" },
    { text: otherPages.bookmarklet, path: "/library/bookmarklet" },
    { text: library.importing.title, path: "/library/import" },
    { text: library.exporting.title, path: "/library/export" },
    { text: blogImport.title, path: "/write/import" },
    { text: blog.search.title, path: "/search" },
    { text: copying.settings.title, path: "/settings/copies" },
    { text: gettingIn.menu.title, path: "/settings/menu" },
    { text: gettingIn.look.title, path: "/settings/look" },
    { text: gettingIn.customCss.title, path: "/settings/theme" },
    { text: navigation.account, path: "/account" },
    { text: navigation.keys, path: "/keys" },
    { text: navigation.api, path: "/docs" },
  ];
}

/** Whether each typed word begins a word of a name. */
export function isCalled({ text }: Command, typed: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((begun) => words.some((word) => word.startsWith(begun)));
}

/** Whether a name begins with what is typed, without regard to case. */
export function beginsWith(name: string, typed: string): boolean {
  return name.toLowerCase().startsWith(typed.toLowerCase());
}
