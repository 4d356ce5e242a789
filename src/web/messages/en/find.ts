import { links } from "./counted.ts";

/** One field for everything. */
export const find = {
  title: "Search or jump to",
  label: "Search, paste a link, #tag, >page",
  submit: "Search",
  address: "This address",
  save: "Save this address",
  later: "Save it to read later",
  savedOn: (day: string) => `You saved it on ${day}`,
  search: "Search",
  inLibrary: (q: string) => `Search the library for “${q}”`,
  inText: (day: string) => `${day}, in the text`,
  inPosts: (q: string) => `Search posts for “${q}”`,
  links: "Links",
  posts: "Posts",
  tags: "Tags",
  tagged: (count: number) => links(count),
  pages: "Go to",
  newPost: "New post",
  nothing: "No matches.",
};
