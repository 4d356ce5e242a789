import { alert, allowAnything, type PageStates, press, showNotice } from "./picture-state.ts";

const POST = "/posts/nine-quinces";

/** What readers see. */
export const blog: PageStates = {
  "/": [
    { name: "front-empty", on: "empty", path: "/", title: "" },
    { name: "front-empty-signed-in", on: "empty", path: "/", signedIn: true, title: "" },
    { name: "front", path: "/", title: "Margins", also: ["print", "forced", "large", "medium"] },
    { name: "front-signed-in", path: "/", signedIn: true, title: "Margins" },
    { name: "front-hostile", on: "hostile", path: "/", title: "The commonplace book", also: ["large"] },
    { name: "front-page-2", path: "/?page=2", title: "Margins" },
  ],
  "/links": [
    { name: "links", path: "/links", title: "Linkblog" },
    { name: "links-empty", on: "empty", path: "/links", title: "Linkblog" },
    { name: "links-hostile", on: "hostile", path: "/links", title: "Linkblog" },
  ],
  "/posts/{slug}": [
    {
      name: "post",
      path: "/posts/what-the-margin-is-for",
      title: "What the margin is for",
      also: ["print", "large"],
    },
    {
      name: "post-everything",
      path: POST,
      title: "Nine quinces",
      also: ["print", "forced", "large", "medium"],
    },
    {
      name: "post-follow",
      path: POST,
      title: "Nine quinces",
      shows: "A feed reader is an app",
      act: (page) => page.locator(".follow summary").click(),
    },
    { name: "post-signed-in", path: POST, signedIn: true, title: "Nine quinces" },
    {
      name: "post-notice",
      path: POST,
      title: "Nine quinces",
      act: (page) => showNotice(page, "comment-waits"),
    },
    { name: "post-link", path: "/posts/locke", title: "The index of John Locke" },
    { name: "post-long-title", on: "hostile", path: "/posts/post-0", title: "On the keeping" },
    { name: "post-unbroken", on: "hostile", path: "/posts/post-1", title: "unbroken", also: ["large"] },
    { name: "post-markup", on: "hostile", path: "/posts/post-2", title: "<img src=x" },
    { name: "post-turned", on: "hostile", path: "/posts/post-5", title: "A title that" },
    { name: "post-hebrew", on: "hostile", path: "/posts/hebrew", title: "ספר", also: ["large"] },
    { name: "post-thread", on: "hostile", path: "/posts/post-4", title: "" },
    { name: "post-thread-2", on: "hostile", path: "/posts/post-4?comments=2", title: "", also: ["large"] },
    { name: "page-about", path: "/about", title: "About" },
    { name: "post-not-found", path: "/posts/none", title: "There is nothing at this address" },
  ],
  "/posts/{slug}/comments": [
    {
      name: "comment",
      path: `${POST}/comments`,
      title: "Write a comment on “Nine quinces”",
      also: ["large"],
    },
    {
      name: "comment-signed-in",
      path: `${POST}/comments`,
      signedIn: true,
      title: "Write a comment on “Nine quinces”",
    },
    { name: "comment-hostile", on: "hostile", path: "/posts/post-1/comments", title: "Write a comment on" },
    {
      name: "comment-errors",
      path: `${POST}/comments`,
      title: "Error: Write a comment on",
      act: async (page) => {
        await allowAnything(page);
        await page.getByLabel("Comment", { exact: true }).fill("Typed.");
        await page.getByLabel("Your name").fill(" ");
        await press(page, "Send");
        await alert(page);
      },
    },
  ],
  "/archive": [
    { name: "archive", path: "/archive", title: "Archive", also: ["large"] },
    { name: "archive-empty", on: "empty", path: "/archive", title: "Archive" },
    { name: "archive-hostile", on: "hostile", path: "/archive", title: "Archive" },
  ],
  "/archive/{year}": [
    { name: "archive-year", path: "/archive/2017", title: "" },
    { name: "archive-year-none", path: "/archive/1901", title: "Archive · 1901" },
  ],
  "/authors/{slug}": [{ name: "author-none", path: "/authors/nobody", title: "" }],
  "/tags": [{ name: "blog-tags", path: "/tags", title: "Tags" }],
  "/tags/{tag...}": [
    { name: "tag", path: "/tags/food/fruit", title: "#food/fruit" },
    { name: "tag-none", path: "/tags/none", title: "" },
    {
      name: "tag-hostile",
      on: "hostile",
      path: `/tags/${"unbroken".repeat(20)}`,
      title: "#unbroken",
    },
  ],
  "/search": [
    { name: "blog-search", path: "/search", title: "Search" },
    {
      name: "blog-search-found",
      path: "/search?q=quince*+OR+paper",
      title: "“quince",
      also: ["forced", "large"],
    },
    { name: "blog-search-none", path: "/search?q=nosuchword", title: "“nosuchword”", shows: "Nothing found" },
    { name: "blog-search-unreadable", path: "/search?q=%22open", title: "“" },
    {
      name: "blog-search-hostile",
      on: "hostile",
      path: "/search?q=unbroken*+OR+a+OR+title",
      title: "“unbroken",
    },
  ],
};
