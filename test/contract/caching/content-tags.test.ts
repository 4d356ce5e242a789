import { beforeAll, describe, expect, test } from "bun:test";
import { makeImage } from "../../support/files/images.ts";
import { createPost, describeBlog, pathOf } from "../../support/records/blog.ts";

describeBlog(
  "Tags made of content",
  (blog) => {
    const { editor, anyone } = blog;
    let post: string;
    let image: string;
    /** Each image has another width, since an image that is stored already is not stored again. */
    let width = 3;

    async function upload(): Promise<string> {
      const body = (await makeImage("png", { width: ++width, height: 3 })) as Uint8Array<ArrayBuffer>;
      const headers = { "content-type": "image/png" };
      const response = await editor("/api/media/", { method: "POST", body, headers });
      return response.headers.get("location") ?? "";
    }

    beforeAll(async () => {
      post = pathOf(await createPost(editor));
      await editor(post, { method: "PATCH", json: { content: "Newer" } });
      image = await upload();
      for (const url of ["http://example.com/", "https://www.example.com"])
        await editor("/bookmarks/", { method: "POST", json: { title: "", url, description: "#dev" } });
    });

    const places: [what: string, path: () => string, caching: string][] = [
      ["the tags", () => "/api/tags/", "no-cache, no-transform"],
      ["the duplicates", () => "/bookmarks/duplicates", "no-cache, no-transform"],
      ["the changes to undo", () => "/api/undo/", "private, no-store, no-transform"],
      ["the edits", () => "/api/edits/", "private, no-store, no-transform"],
      ["the images", () => "/api/media/", "private, no-store, no-transform"],
      ["an image", () => image, "private, no-store, no-transform"],
      ["the versions of a post", () => `${post}versions/`, "private, no-store, no-transform"],
      ["a version of a post", () => `${post}versions/1/`, "private, no-store, no-transform"],
      ["the sitemap", () => "/sitemap.xml", "no-cache"],
      ["the description of the search", () => "/opensearch.xml", "no-cache"],
    ];
    for (const [what, path, caching] of places) {
      test(`let a client ask whether its copy of ${what} is current`, async () => {
        const response = await editor(path());
        const etag = response.headers.get("etag") ?? "";
        expect(response.status).toBe(200);
        expect(etag).toMatch(/^"[\w.-]+"$/);
        expect(response.headers.get("cache-control")).toBe(caching);
        expect((await editor(path())).headers.get("etag")).toBe(etag);
        const again = await editor(path(), { headers: { "if-none-match": `"other", W/${etag}` } });
        expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
        expect(again.headers.get("cache-control")).toBe(caching);
        expect((await editor(path(), { headers: { "if-none-match": '"other"' } })).status).toBe(200);
      });
    }

    test("change with the content", async () => {
      const paths = ["/api/tags/", "/api/media/", `${post}versions/`, "/sitemap.xml"];
      const tagsOf = () => Promise.all(paths.map(async (path) => (await editor(path)).headers.get("etag")));
      const before = await tagsOf();
      await createPost(editor, { published: true });
      await editor(post, { method: "PATCH", json: { content: "Newest" } });
      await upload();
      await editor("/bookmarks/", {
        method: "POST",
        json: { title: "", url: "http://example.org/", description: "#js" },
      });
      const after = await tagsOf();
      expect(paths.filter((_, index) => after[index] === before[index])).toEqual([]);
    });

    describe("DELETE of an image", () => {
      test("honors If-Match and If-None-Match", async () => {
        const path = await upload();
        const etag = (await editor(path)).headers.get("etag") ?? "";
        const remove = (headers: Record<string, string>) => editor(path, { method: "DELETE", headers });
        for (const headers of [
          { "if-match": '"other"' },
          { "if-match": `W/${etag}x` },
          { "if-none-match": "*" },
          { "if-none-match": etag },
        ])
          expect((await remove(headers)).status).toBe(412);
        expect((await anyone(path)).status).toBe(401);
        expect((await remove({ "if-match": `W/${etag}` })).status).toBe(204);
      });
    });
  },
  { SERVICES: "bookmarks,posts", BOOKMARKS_ACCESS: "read" },
);
