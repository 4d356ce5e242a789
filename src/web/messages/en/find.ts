import { links } from "./counted.ts";

/** One field for everything. */
export const find = {
  title: "Find or go to",
  label: "An address, words, #tag or >page",
  submit: "Find",
  address: "This address",
  save: "Save this address",
  later: "Save it to read later",
  savedOn: (day: string) => `You saved it on ${day}`,
  search: "Search",
  inLibrary: (q: string) => `Find “${q}” in the library`,
  inText: (day: string) => `${day}, in the text`,
  inPosts: (q: string) => `Find “${q}” in the posts`,
  links: "Links",
  posts: "Posts",
  tags: "Tags",
  tagged: (count: number) => links(count),
  pages: "Go to",
  newPost: "New post",
  nothing: "Nothing is called that.",
};
