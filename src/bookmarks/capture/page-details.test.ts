import { describe, expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { type PageDetails, pageDetails } from "./page-details.ts";

const bytes = (html: string) => new TextEncoder().encode(html);
const readOf = (html: string) => pageDetails(bytes(html), "text/html; charset=utf-8");
const detailsOf = (html: string) => {
  const { icons: _, ...details } = readOf(html) ?? { icons: [] };
  return details as Partial<PageDetails>;
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

  test("ignores titles in scripts and in SVG images", () => {
    const html = `<script>const s = "<title>script</title>";</script><body><svg><title>icon</title></svg>`;
    expect(detailsOf(html)).toEqual({ title: "", description: "" });
    expect(detailsOf(`<script>"<title>no</title>"</script><title>Yes</title>`)?.title).toBe("Yes");
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
    expect(pageDetails(latin, "text/html;charset=nonsense")?.title).toBe("Caf\ufffd");
  });

  test("shortens both to the limits of a bookmark, in code points", () => {
    const found = detailsOf(
      `<title>${"😀".repeat(300)}</title><meta name=description content="${"b".repeat(900)}">`,
    );
    expect(Array.from(found?.title ?? "")).toHaveLength(200);
    expect(found?.title).toEndWith("😀…");
    expect(found?.description).toHaveLength(500);
  });

  test("keeps no control characters and no unpaired surrogates", () => {
    expect(detailsOf("<title>a\u0001\u0000b&#xd800;c</title>")?.title).toBe("a b\ufffdc");
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
});
