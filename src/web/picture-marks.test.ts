import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "../posts/rendering/render-markdown.ts";

interface Said {
  readonly url: string;
  readonly alt: string;
  readonly caption: string;
  readonly isDecoration: boolean;
}

const { isUploaded, picturesIn, markOf } = (await import(
  import.meta.resolve("./public/picture-marks.js")
)) as {
  picturesIn: (text: string) => (Said & { start: number; end: number; mark: string })[];
  markOf: (said: Said) => string;
  isUploaded: (url: string | undefined) => boolean;
};

describe("The images of a text", () => {
  test("are those that the site shows, in their order, with their places", () => {
    const text =
      '![A](/media/1.jpg)\n\nwords ![B \\] \\* [c]](</media/2 (x).jpg> "It\'s \\"so\\"") and ![](/media/3.png "")\n\n' +
      "```\n![](/media/in-code.jpg)\n```\n`![](/media/code.jpg)` \\![](/media/none.jpg)\n\n![](https://a.example/x_(y).png 'C')\n\n~~~\n![](/media/open.jpg)";
    const found = picturesIn(text);
    expect(found.map(({ url, alt, caption, isDecoration }) => [url, alt, caption, isDecoration])).toEqual([
      ["/media/1.jpg", "A", "", false],
      ["/media/2 (x).jpg", "B ] * [c]", 'It\'s "so"', false],
      ["/media/3.png", "", "", true],
      ["https://a.example/x_(y).png", "", "C", false],
    ]);
    for (const { start, end, mark } of found) expect(text.slice(start, end)).toBe(mark);
    expect(renderMarkdown(text, new Map()).html.match(/<img/g)).toHaveLength(found.length);
  });

  test("are shown in the editor where they are of this server, and nothing else of it is asked for", () => {
    for (const url of ["/media/0a.jpg", "/media/0a-800.webp"])
      expect([url, isUploaded(url)]).toEqual([url, true]);
    for (const url of [
      ...[
        "https://evil.example/x.png",
        "//evil.example/media/x.png",
        "/bookmarks/page?url=https://evil.example/",
      ],
      ...[
        "/media/../bookmarks/page?url=https://evil.example/x.png",
        "/media/..",
        "/media/x.png?y",
        undefined,
      ],
    ])
      expect([url, isUploaded(url)]).toEqual([url, false]);
  });

  test("say to readers exactly what was typed, and come back as they were", () => {
    for (const words of [
      "Plain",
      'a "b" & &amp; \\ c',
      "*a* _b_ `c` <i>d</i> [e](f) ![g",
      "a]b](c) [ \\",
      "נהר 川",
    ]) {
      const said = { url: "/media/a.jpg", alt: words, caption: words, isDecoration: false };
      const mark = markOf(said);
      expect(picturesIn(`Above.\n\n${mark}\n\nBelow.`)).toEqual([expect.objectContaining(said)]);
      const { html } = renderMarkdown(mark, new Map());
      const shown = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      expect(html).toContain(`<figcaption>${shown}</figcaption>`);
      expect(html).toContain(` alt="${shown.replaceAll('"', "&quot;")}"`);
    }
  });

  test("are decoration by an empty caption, which readers do not see", () => {
    const mark = markOf({ url: "/media/a.jpg", alt: "", caption: "", isDecoration: true });
    expect(mark).toBe('![](/media/a.jpg "")');
    const html = (text: string) => renderMarkdown(text, new Map()).html;
    expect(html(mark)).toBe(html("![](/media/a.jpg)"));
  });

  test("are found in a text of a million characters at once", () => {
    const texts = [
      "![".repeat(500_000),
      "`".repeat(999_999),
      "![a](".repeat(200_000),
      "![](/a '".repeat(120_000),
    ];
    for (const text of texts) expect(picturesIn(text)).toEqual([]);
  });
});
