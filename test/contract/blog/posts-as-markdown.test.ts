import { expect, test } from "bun:test";
import { createPost, describeBlog, pathOf } from "../../support/records/blog.ts";

const CONTENT = `One *word* and [a page](/about).

<!-- a comment --> <span hidden>a secret</span>

- a list`;

describeBlog("A post for programs that prefer Markdown", (blog) => {
  const { editor, anyone } = blog;
  const publish = async (title: string, publication: object, content = CONTENT) => {
    const post = await createPost(editor, { title, content });
    await editor(`${pathOf(post)}publication/`, { method: "PATCH", json: publication });
  };
  const read = (path: string, accept: string, headers: Readonly<Record<string, string>> = {}) =>
    anyone(path, { headers: { accept, ...headers } });
  const typeOf = (response: Response) => response.headers.get("content-type");
  const tagOf = (response: Response) => response.headers.get("etag");

  test("is what readers see of it, with absolute addresses", async () => {
    await publish("The <b>river", { slug: "river", summary: "A *summary*." });
    const response = await read("/posts/river", "text/markdown");
    expect([response.status, typeOf(response)]).toEqual([200, "text/markdown; charset=utf-8"]);
    const url = new URL("/about", response.url || "http://localhost").href;
    const text = await response.text();
    expect(text.replace(url, "ABOUT")).toMatch(
      /^# The \\<b>river\n\nA \\\*summary\\\*\.\n\nOne \*word\* and \[a page\]\([^)]*\)\.\n\n- a list\n$/,
    );
    expect(text).not.toContain("secret");
    expect(text).not.toContain("comment");
  });

  test("is a link or a static page, too", async () => {
    await publish("A link", { kind: "link", link: "https://example.com/a", slug: "a-link" }, "Text.");
    await publish("About", { kind: "page", slug: "about" }, "Text.");
    const texts = ["/posts/a-link", "/about"].map(async (path) => (await read(path, "text/markdown")).text());
    expect(await Promise.all(texts)).toEqual([
      "# A link\n\n<https://example.com/a>\n\nText.\n",
      "# About\n\nText.\n",
    ]);
  });

  test.each([
    ["text/markdown", true],
    ["text/markdown, text/html, */*", true],
    ["text/markdown;q=0.9, text/html;q=0.8", true],
    ["TEXT/Markdown", true],
    ["text/markdown; charset=utf-8", true],
    ['text/markdown;variant="GFM" ; q=0.9, text/html;level=1;q=0.8', true],
    ["text/markdown, */*;q=0.8", true],
    ["*/*, text/markdown;q=0.1", false],
    ["*/*, text/html;q=0.1, text/markdown;q=0.5", true],
    ["text/*, text/markdown;q=0.9", false],
    ["text/markdown;variant=GFM;q=0, */*", false],
    ["text/html, text/markdown;q=0.9", false],
    ["text/markdown;q=0", false],
    ["text/*", false],
    ["*/*", false],
    ["", false],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", false],
  ])("is asked for by Accept: %s (%p)", async (accept, isMarkdown) => {
    const response = await read("/posts/river", accept);
    expect(typeOf(response)).toBe(`text/${isMarkdown ? "markdown" : "html"}; charset=utf-8`);
    expect(response.headers.get("vary")).toBe("Accept, Accept-Encoding, Cookie");
  });

  test("is cached apart from the page", async () => {
    const [page, text] = [
      await read("/posts/river", "text/html"),
      await read("/posts/river", "text/markdown"),
    ];
    expect(tagOf(page)).not.toBe(tagOf(text));
    for (const [accept, etag, status] of [
      ["text/markdown", tagOf(text), 304],
      ["text/html", tagOf(page), 304],
      ["text/html", tagOf(text), 200],
    ] as const) {
      const again = await read("/posts/river", accept, { "if-none-match": String(etag) });
      expect([again.status, again.headers.get("vary")]).toEqual([status, "Accept, Accept-Encoding, Cookie"]);
    }
  });

  test("is not there where the post is not", async () => {
    await createPost(editor, { title: "Hidden draft", content: CONTENT, published: false });
    expect((await read("/posts/hidden-draft", "text/markdown")).status).toBe(404);
    expect(typeOf(await read("/", "text/markdown"))).toBe("text/html; charset=utf-8");
  });
});
