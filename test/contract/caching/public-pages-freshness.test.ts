import { expect, test } from "bun:test";
import { makeImage } from "../../support/files/images.ts";
import {
  createComment,
  createPost,
  DRAFTS,
  describeBlog,
  etagOf,
  pathOf,
} from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";

const SETTINGS = {
  site_name: "Renamed",
  description: "",
  language: "en",
  time_zone: "UTC",
  theme: "auto",
};

describeBlog("A cached page", (blog) => {
  const { anyone, editor } = blog;

  test("shows every public change at once, and does not change after private ones", async () => {
    const post = await createPost(editor, { title: "Shown", content: "Text." });
    const path = pathOf(post);
    const send = (to: string, method: string, json: object) => editor(to, { method, json });
    const waiting = await createComment(blog.servedWith({ COMMENTS: "moderated" }).anyone, post, {
      author: "Ada",
    });
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      "another post": () => createPost(editor, { title: "Newer" }),
      "a new text": () => send(path, "PATCH", { content: "Other text." }),
      "a publication": () => send(`${path}publication/`, "PATCH", { summary: "A summary.", tags: ["one"] }),
      "another slug": () => send(`${path}publication/`, "PATCH", { slug: "elsewhere" }),
      "a comment that is shown": () => send(`/api/comments/${waiting.id}/`, "PUT", { status: "shown" }),
      "the settings": () => submit(editor, "/settings", SETTINGS),
      "another look": () =>
        submit(editor, "/settings/look", {
          theme: "ink",
          accent: "red",
          text: "sans",
          front_page: "whole",
        }),
      "a style sheet": () => submit(editor, "/settings/theme", { css: "p { color: red }" }),
      "a post withdrawn": () => send(path, "PATCH", { published: false }),
    };
    for (const [what, change] of Object.entries(changes)) {
      const before = await etagOf(anyone, "/");
      await change();
      expect([what, (await etagOf(anyone, "/")) === before]).toEqual([what, false]);
    }
    const before = await etagOf(anyone, "/");
    await editor("/bookmarks/", { method: "POST", json: { title: "Private", url: "https://example.com/" } });
    await createPost(editor, { title: "A draft", published: false });
    await send(`${DRAFTS}${post.id}/`, "PATCH", { content: "Withdrawn." });
    expect(await etagOf(anyone, "/")).toBe(before);
  });

  test("shows the size of an image that came after its post", async () => {
    const upload = () =>
      editor("/api/media/", { method: "POST", headers: { "content-type": "image/png" }, body: image });
    const image = await makeImage("png", { width: 20, height: 10 });
    const { url } = (await (await upload()).json()) as { url: string };
    const place = `/api/media/${url.slice("/media/".length).split(".")[0]}/`;
    expect((await editor(place, { method: "DELETE" })).status).toBe(204);
    await createPost(editor, { title: "With an image", content: `![x](${url})` });
    const shown = async () =>
      /<img [^<>]*alt="x"[^<>]*>/.exec(await (await anyone("/posts/with-an-image")).text())?.[0];
    expect(await shown()).toContain(url);
    expect(await shown()).not.toContain("width=");
    await upload();
    expect(await shown()).toContain('width="20"');
  });
});
