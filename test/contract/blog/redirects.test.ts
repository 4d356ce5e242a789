import { beforeAll, expect, test } from "bun:test";
import { redirectPath } from "../../../src/posts/publication/redirects.ts";
import { createPost, describeBlog } from "../../support/records/blog.ts";

describeBlog("Paths that a post had on another site", (blog) => {
  const { anyone } = blog;

  beforeAll(async () => {
    const { id } = await createPost(blog.editor, { title: "First light" });
    const draft = await createPost(blog.editor, { title: "Hidden", published: false });
    await blog.database.write(async (sql) => {
      for (const path of ["/2019/05/First_Light", "/?p=12", "/blog/ünï", "/posts/Old_Name", "/old"])
        await sql`insert into redirects (path, post_id) values (${path}, ${id})`;
      await sql`insert into redirects (path, post_id) values (${"/hidden"}, ${draft.id})`;
    });
  });

  test.each([
    "/2019/05/First_Light",
    "/2019/05/First_Light/",
    "/2019/05/First_Light/index.html",
    "/2019/05/First_Light?utm_source=feed",
    "/?p=12",
    "/blog/%C3%BCn%C3%AF",
    "/blog/u%CC%88ni%CC%88/",
    "/posts/Old_Name",
    "/old",
  ])("%s leads to it for good", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await anyone(path, { method });
      expect([response.status, response.headers.get("location")]).toEqual([301, "/posts/first-light"]);
    }
  });

  test.each(["/hidden", "/2019", "/2019/05", "/old/more", "//old", "/%E0%A4%A/x"])(
    "%s does not redirect",
    async (path) => {
      expect((await anyone(path)).status).toBe(404);
    },
  );

  test("and other parameters of the front page are ignored", async () => {
    for (const path of ["/?p=13", "/?p=x", "/?q=1"]) expect((await anyone(path)).status).toBe(200);
    expect((await anyone("/2019/05/First_Light", { method: "POST" })).status).toBe(404);
  });
});

test("The form in which such a path is stored", () => {
  for (const [path, stored] of [
    ["/2019/05/x/", "/2019/05/x"],
    ["/%C3%BC/index.html", "/ü"],
    ["/?p=12&preview=true", "/?p=12"],
    ["/?page_id=2", "/?page_id=2"],
    ["/x?p=12#top", "/x"],
    ["/", undefined],
    ["", undefined],
    ["//evil.example", undefined],
    ["/\\evil.example", undefined],
    ["https://example.org/x", undefined],
    ["/?p=0", undefined],
    [`/${"x".repeat(1_000)}`, undefined],
  ] as const)
    expect([path, redirectPath(path)]).toEqual([path, stored]);
});
