/** The formats of blogs, by their names in reports. */
export const BLOG_FORMATS = [
  "markdown",
  "ghost",
  "wordpress",
  "medium",
  "substack",
  "blogger",
  "beehiiv",
  "wix",
  "movable-type",
  "writefreely",
  "forem",
  "disqus",
  "feed",
] as const;
export type BlogFormat = (typeof BLOG_FORMATS)[number];

/** The formats of blogs, for the message about other files. */
export const BLOGS_READ =
  "exports of Ghost, WordPress, Squarespace, Blogger, Medium, Substack, Buttondown, Beehiiv, Wix, Movable Type, TypePad, WriteFreely, DEV (Forem) and Disqus, Markdown files, and feeds (RSS or Atom). From another program, take its export for WordPress or as Markdown, or else save its feed as a file";
