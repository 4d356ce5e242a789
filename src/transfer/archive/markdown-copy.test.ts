import { expect, test } from "bun:test";
import type { ArchivedPost } from "./archived-posts.ts";
import { markdownCopy } from "./markdown-copy.ts";

/** Every member of a publication, each with a value that nothing else has; the copy says its kind by its path. */
const PUBLICATION: Required<Omit<NonNullable<ArchivedPost["publication"]>, "kind">> = {
  link: "https://link.example/",
  slug: "its-slug",
  summary: "Its summary.",
  tags: ["its-tag"],
  publish_at: "2031-05-01T09:00:00.000Z",
  language: "nl",
  image: "/media/image.png",
  canonical_url: "https://canonical.example/",
};

test("the Markdown copy of a post has every member of its publication", () => {
  const copy = markdownCopy({
    ...{ id: 7, title: "Title", content: "Text.", published: false, version: 1 },
    ...{ created_at: "2026-11-28T12:00:00.000Z", updated_at: "2026-11-28T12:00:00.000Z", published_at: null },
    created_by: null,
    publication: { kind: "link", ...PUBLICATION },
    ...{ former_slugs: ["old-slug"], redirects: ["/2020/old.html"], properties: { mood: ["calm"] } },
  });
  const values = [...Object.values(PUBLICATION).flat(), "/posts/old-slug", "/2020/old.html", "mood: calm"];
  for (const value of values) expect(copy).toContain(String(value));
});
