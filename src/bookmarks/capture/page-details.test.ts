import { describe, expect, test } from "bun:test";
import { encoded } from "../../../test/support/files/encoded.ts";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { PageReader, pageDetails } from "./page-details.ts";

const bytes = (html: string) => new TextEncoder().encode(html);
const readOf = (html: string) => pageDetails(bytes(html), "text/html; charset=utf-8");
const detailsOf = (html: string) => {
  const { title, description } = readOf(html) ?? {};
  return { title, description };
};

describe("pageDetails", () => {
  test("reads the title and the description, with their character references", () => {
    const html = `<!doctype html><head><title>Caf&eacute;\n &amp; co</title>
      <meta name="Description" content="A &quot;quiet&quot;\t place"></head>`;
    expect(detailsOf(html)).toEqual({ title: "Café & co", description: 'A "quiet" place' });
  });

  test("falls back to a page's metadata for social networks", () => {
    const html = `<title> </title><meta property="og:title" content="Bread">
      <meta property="og:description" content="Rye">`;
    expect(detailsOf(html)).toEqual({ title: "Bread", description: "Rye" });
  });

  // As a browser with scripts shows them.
  test.each([
    ["a streamed page", "<head></head><body><main>Hi</main><div hidden><title>T</title></div>"],
    ["no head at all", "<p>Hi<title>T</title>"],
    ["the end of the body", "<body>Hi</body></html><title>T</title>"],
    ["a tag in a script", `<script>w('<body><title>no</title>')</script><title>T</title>`],
    ["a script that closes late", `<script>"</title>"<!--</script ><title>T</title>`],
    ["a tag in a comment", "<!-- <body> <title>no</title> --><title>T</title>"],
    ["a comment that looks closed", "<!--> <title>T</title> -->"],
    ["a style sheet", "<style><title>no</title></style><title>T</title>"],
    ["a text field", "<textarea><title>no</title></textarea><title>T</title>"],
    ["a frame", "<iframe><title>no</title></iframe><title>T</title>"],
    ["what is for browsers without scripts", "<noscript><title>no</title></noscript><title>T</title>"],
    ["the same, not closed within", "<noscript><iframe><style></noscript><title>T</title>"],
    ["a template", "<template><title>no</title></template><title>T</title>"],
    ["nested templates", "<template><template></template><title>no</title></template><title>T</title>"],
    ["an image", "<svg><title>no</title></svg><title>T</title>"],
    ["a formula", "<math><title>no</title></math><title>T</title>"],
    [
      "an image in a text of an image",
      "<svg><desc><svg><title>no</title></svg></desc></svg><title>T</title>",
    ],
    ["a closed image", "<svg/><title>T</title>"],
    ["an image that a paragraph ends", "<svg><g><p><title>T</title>"],
    ["a page in an image", "<svg><foreignObject><title>T</title></foreignObject></svg><title>no</title>"],
    ["a script in an image", "<svg><script><title>no</title></script></svg><title>T</title>"],
    ["an attribute", `<p data-x="<title>no</title>"><title>T</title>`],
    ["capitals and a slash", "<TITLE/>T</tItLe >"],
    ["a blank title before", "<title> &nbsp;</title><title>T</title><title>no</title>"],
    ["another title after", "<title>T</title><title>no</title>"],
    ["no end", "<title>T"],
    ["an older element", "<xmp><title>no</title></xmp><noembed><title>no</title></noembed><title>T</title>"],
  ])("finds the title of %s", (_, html) => {
    expect(detailsOf(html).title).toBe("T");
    // Also when it comes in pieces.
    const reader = new PageReader("text/html; charset=utf-8", bytes(html.slice(0, 1)));
    for (const character of html.slice(1)) reader.write(bytes(character));
    expect(reader.end().title).toBe("T");
  });

  test("reads tags in a title as text, and character references", () => {
    expect(detailsOf("<title>a <b>&lt;i&gt; &copy &amp;amp;</title>").title).toBe("a <b><i> © &amp;");
  });

  test.each([
    [`<meta name="title" property="og:title" content="T">`, "T", ""],
    [`<meta property="og:description twitter:description" content="D">`, "", "D"],
    [`<meta name="og:title" property="description" content="Both">`, "Both", "Both"],
    [`<meta name="description" content=" "><meta name="description" content="D">`, "", "D"],
    [`<meta name="description" content=""><meta property="og:description" content="D">`, "", "D"],
    [`<meta name="twitter:description" content="no"><meta name="DESCRIPTION" content="D">`, "", "D"],
    [`<body><meta name="description" content="D">`, "", "D"],
    [`<template><meta name="description" content="no"></template>`, "", ""],
  ])("reads %s", (html, title, description) => {
    expect(detailsOf(html)).toEqual({ title, description });
  });

  test("decodes by the header's charset, then by the page's", () => {
    const latin = Buffer.from("<title>Caf\u00e9</title>", "latin1");
    expect(pageDetails(latin, "text/html;charset=ISO-8859-1")?.title).toBe("Café");
    const japanese = Buffer.concat([
      bytes('<meta charset="shift_jis"><title>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      bytes("</title>"),
    ]);
    expect(pageDetails(japanese, "text/html")?.title).toBe("日本");
    expect(pageDetails(latin, "text/html;charset=nonsense")?.title).toBe("Café");
  });

  const late = `<script>${" ".repeat(2_000)}</script>`;
  test.each<[contentType: string, html: Uint8Array, title: string]>([
    ["text/html; charset=iso-8859-1", bytes("\ufeff<title>Grüße</title>"), "Grüße"],
    ["text/html", Buffer.from("\ufeff<title>Grüße</title>", "utf16le"), "Grüße"],
    ["text/html; charset=gbk", encoded("<meta charset=utf-8><title>中文书签</title>", "gbk"), "中文书签"],
    ["text/html; charset=utf-16le", encoded("<title>中文</title>", "utf-16le"), "中文"],
    ["text/html", encoded(`${late}<meta charset=gbk><title>中文书签</title>`, "gbk"), "中文书签"],
    ["text/html", encoded(`<title>中文书签</title>${late}<meta charset=gbk>`, "gbk"), "中文书签"],
    ["text/html", bytes("<meta charset=utf-16><title>Grüße</title>"), "Grüße"],
    ["text/html, text/html; charset=koi8-r", encoded("<title>Мир</title>", "koi8-r"), "Мир"],
    ["text/html; charset=koi8-r, text/html", encoded("<title>Мир</title>", "koi8-r"), "Мир"],
    ["text/html", bytes("<title>Grüße</title>"), "Grüße"],
    ["text/html", encoded("<title>Привет, мир</title>", "windows-1251"), "Привет, мир"],
    ["text/html", encoded("<title>古いページです</title>", "shift_jis"), "古いページです"],
    ["text/html; charset=utf-8", encoded("<title>Crème brûlée</title>", "windows-1252"), "Crème brûlée"],
    ["text/html", Buffer.from([...bytes("<title>Grüße "), 0xff, ...bytes("!</title>")]), "Grüße !"],
    ["text/html", Buffer.from([...bytes("<title>日本の本"), 0xe3, 0x81, ...bytes("</title>")]), "日本の本"],
    ["text/html", Buffer.from([...bytes("<title>"), 0x81, 0x9d, 0x8f, ...bytes("</title>")]), ""],
  ])("decodes %s (%#)", (contentType, html, title) => {
    expect(pageDetails(html, contentType)?.title).toBe(title);
  });

  test("shortens both to the limits of a bookmark, in code points", () => {
    const found = detailsOf(
      `<title>${"😀".repeat(300)}</title><meta name=description content="${"b".repeat(900)}">`,
    );
    expect(Array.from(found?.title ?? "")).toHaveLength(200);
    expect(found?.title).toEndWith("😀…");
    expect(found?.description).toHaveLength(500);
  });

  test("keeps no control characters, no unpaired surrogates and no U+FFFD", () => {
    expect(detailsOf("<title>a\u0001\u0000b&#xd800;c\ufffd</title>")?.title).toBe("a bc");
    expect(detailsOf('<title>\ufffd\ufffd a</title><meta property="og:title" content="Ok">').title).toBe(
      "Ok",
    );
  });

  test("finds the icons of a page, with the size that it says", () => {
    const html = `<link rel="stylesheet" href="/a.css"><link rel="mask-icon" href="/m.svg">
      <link rel="SHORTCUT Icon" href=" /favicon.ico?a&amp;b "><link rel=icon type="image/svg+xml" href=i.svg sizes=any>
      <link rel=icon sizes="16x16 48x48" href="//cdn.example/16.png"><link rel="apple-touch-icon" href="a.png">
      <body><link rel=icon href="/late.png">`;
    expect(readOf(html)?.icons).toEqual([
      { href: "/favicon.ico?a&b", type: "", size: 32 },
      { href: "i.svg", type: "image/svg+xml", size: 32 },
      { href: "//cdn.example/16.png", type: "", size: 16 },
      { href: "a.png", type: "", size: 180 },
    ]);
    expect(readOf("<link rel=icon href=a>".repeat(1_000))?.icons).toHaveLength(10);
  });

  test("finds nothing in anything but HTML", () => {
    for (const type of ["application/pdf", "text/plain", "", "text/htmlx"])
      expect(pageDetails(bytes("<title>x</title>"), type)).toBeUndefined();
  });

  test.each(["<a>", "<title>", "<div title='", "<meta charset", "&", "<", "<title>&#", " \u0000"])(
    "reads a page of nothing but %j in time that is linear in its length",
    async (piece) => {
      const counting = await countingModules<typeof import("./page-details.ts")>(
        import.meta.resolve("./page-details.ts"),
      );
      await expectLinear((length) => counting.pageDetails(bytes(piece.repeat(length)), "text/html"));
    },
  );

  describe("reads only as much of a page as is needed", () => {
    const head = `<title>T</title><meta name="description" content="D">`;
    const filler = `<i>${"x".repeat(60)}</i>`.repeat(1_024);
    /** How many pieces of filler are read after a beginning. */
    const piecesAfter = (beginning: string, most: number, piece = filler) => {
      const reader = new PageReader("text/html", bytes(beginning));
      let count = 0;
      for (; count < most && !reader.isComplete; count++) reader.write(bytes(piece));
      return count;
    };

    test("the head, although title and description are there, since it may name icons", () => {
      expect(piecesAfter(head, 5, `<link rel="icon" href="/${"x".repeat(1_000)}">`)).toBe(5);
      expect(piecesAfter(`${head}<body>`, 5)).toBe(0);
      expect(piecesAfter("<title>T</title><body>", 5)).toBe(5);
      expect(piecesAfter(`<body><title>T</title><meta property="og:description" content="D">`, 5)).toBe(0);
    });

    test("200,000 elements", () => {
      const elements = (count: number) => `${"<i>".repeat(count)}<title>T</title>`;
      expect(detailsOf(elements(199_999)).title).toBe("T");
      expect(detailsOf(elements(200_001)).title).toBe("");
      expect(piecesAfter("", 1_000)).toBe(196);
    });

    test("256 images, formulas and templates within each other", () => {
      for (const name of ["svg", "template"]) {
        const nested = (depth: number) =>
          `${`<${name}>`.repeat(depth)}${`</${name}>`.repeat(depth)}<title>T</title>`;
        expect(detailsOf(nested(256)).title).toBe("T");
        expect(detailsOf(nested(257)).title).toBe("");
      }
      expect(detailsOf(`${"<div><table>".repeat(50_000)}<title>T</title>`).title).toBe("T");
    });

    test("100 attributes of a tag, 4,000 characters of each, and of a title", () => {
      const attributes = (count: number) =>
        Array.from({ length: count }, (_, index) => `a${index}`).join(" ");
      expect(detailsOf(`<meta ${attributes(98)} name=description content=D>`).description).toBe("D");
      expect(detailsOf(`<meta ${attributes(100)} name=description content=D>`).description).toBe("");
      expect(detailsOf(`<title>${" ".repeat(3_999)}T</title>`).title).toBe("T");
      expect(detailsOf(`<title>${" ".repeat(5_000)}T</title>`).title).toBe("");
    });
  });
});
