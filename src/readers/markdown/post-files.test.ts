import { expect, test } from "bun:test";
import { postFileOf } from "./post-files.ts";

test.each<[path: string, expected: readonly [name: string, section: string, isPage: boolean, date?: string]]>(
  [
    ["content/blog/2020-01-01-first-light.md", ["first-light", "blog", false, "2020-01-01T00:00:00.000Z"]],
    // Statamic.
    [
      "content/collections/blog/2020-01-01.my-post.md",
      ["my-post", "collections/blog", false, "2020-01-01T00:00:00.000Z"],
    ],
    ["content/blog/2020-01-01-1430.first.md", ["first", "blog", false, "2020-01-01T14:30:00.000Z"]],
    ["content/blog/2020-01-01-light.de.md", ["light", "blog", false, "2020-01-01T00:00:00.000Z"]],
    // Notion.
    ["Notes/Old maps 0123456789abcdef0123456789abcdef.md", ["Old maps", "Notes", false]],
    // Grav.
    ["user/pages/02.blog/first-light/item.md", ["first-light", "blog", false]],
    ["user/pages/02.blog/first-light/blog_item.de.md", ["first-light", "blog", false]],
    ["pages/03.about/default.md", ["about", "", true]],
    ["pages/about/default.md", ["default", "pages/about", true]],
  ],
)("%s is known by its place", (path, [name, section, isPage, date]) => {
  const file = postFileOf(path, false);
  expect([file.name, file.section, file.isPage, file.date?.toISOString()]).toEqual([
    name,
    section,
    isPage,
    date,
  ]);
});
