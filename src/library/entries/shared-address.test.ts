import { describe, expect, test } from "bun:test";
import { addressIn, withAddress } from "./shared-address.ts";

const A = "https://example.org/a";

describe("The address in a shared text", () => {
  test.each([
    [A, A, ""],
    ["A page https://example.org/a", A, "A page"],
    ["A page\nhttps://example.org/a\n", A, "A page"],
    ["See (https://example.org/a) now", A, "See  now"],
    ["See https://example.org/a.", A, "See."],
    ["Is it https://example.org/a?", A, "Is it?"],
    ["https://example.org/a, then", A, ", then"],
    ["https://example.org/a...", A, "..."],
    ["<https://example.org/a>", A, ""],
    ['"https://example.org/a"', A, ""],
    ["„https://example.org/a“ said", A, "said"],
    ["‘https://example.org/a’", A, "‘’"],
    ["«https://example.org/a»", A, ""],
    ["`https://example.org/a`", A, ""],
    ["**https://example.org/a**", A, "****"],
    ["Look: [https://example.org/a]", A, "Look:"],
    ["[https://example.org/a](https://example.org/a)", A, "(https://example.org/a)"],
    ["{https://example.org/a}.", A, "{}."],
    ["(see https://example.org/a).", A, "(see )."],
    // Brackets of the address itself.
    [
      "https://en.wikipedia.org/wiki/Rye_(disambiguation)",
      "https://en.wikipedia.org/wiki/Rye_(disambiguation)",
      "",
    ],
    ["(https://example.org/Rye_(b))", "https://example.org/Rye_(b)", ""],
    ["https://example.org/?a[]=1&b[]=2", "https://example.org/?a[]=1&b[]=2", ""],
    // Languages without blanks, and their punctuation.
    ["看https://example.org/a。很好", A, "看。很好"],
    ["（https://example.org/a）", A, ""],
    ["「https://example.org/a」を見て", A, "を見て"],
    ["https://example.org/aを見て", A, "を見て"],
    ["https://example.org/a를 보세요", A, "를 보세요"],
    ["https://example.orgを見て", "https://example.org", "を見て"],
    ["https://ja.wikipedia.org/wiki/ライ麦", "https://ja.wikipedia.org/wiki/ライ麦", ""],
    ["https://例え.jp/記事1。", "https://例え.jp/記事1", "。"],
    ["https://de.wikipedia.org/wiki/Käse", "https://de.wikipedia.org/wiki/Käse", ""],
    ["https://ru.wikipedia.org/wiki/Рожь,", "https://ru.wikipedia.org/wiki/Рожь", ","],
    // Emoji.
    ["🎉https://example.org/a🎉", A, "🎉🎉"],
    ["https://example.org/a 🎉", A, "🎉"],
    // The first that is one.
    [
      "https:// and http://[ and https://example.org/a https://example.org/b",
      A,
      "https:// and http://[ and  https://example.org/b",
    ],
    ["HTTPS://example.org/a", "HTTPS://example.org/a", ""],
    ["http://localhost:8080/a", "http://localhost:8080/a", ""],
    ["https://example.org/a?b=c&d=e%20f#g", "https://example.org/a?b=c&d=e%20f#g", ""],
  ])("%s: %s", (text, address, rest) => {
    expect(addressIn(text)).toEqual({ address, name: "", rest });
  });

  test("may be that of a Markdown link, which names it", () => {
    for (const link of ["[A page](https://example.org/a)", '[A page](<https://example.org/a> "title")'])
      expect(addressIn(`See ${link}.`)).toEqual({ address: A, name: "A page", rest: "See." });
    expect(addressIn("[Rye](https://example.org/Rye_(b))")).toEqual({
      ...{ address: "https://example.org/Rye_(b)", name: "Rye", rest: "" },
    });
  });

  test.each([
    [""],
    ["no address"],
    ["https://"],
    ["xhttps://example.org/a"],
    ["ftp://example.org/a"],
    ["example.org/a"],
  ])("is not in %j", (text) => {
    expect(addressIn(text)).toBeUndefined();
  });

  test("is found in any text, however long", () => {
    for (const piece of ["(", ")", "[", "https://", "https://x", ".", "[a](", " ", "「"])
      expect(addressIn(`${piece.repeat(20_000)} https://example.org/a`)).toBeDefined();
  });
});

describe("What is shared", () => {
  const shared = (members: Partial<Record<"url" | "title" | "text", string>>) =>
    withAddress({ url: "", title: "", text: "", ...members });

  test.each([
    [
      { url: A, title: "T", text: "https://example.org/b" },
      { url: A, title: "T", text: "https://example.org/b" },
    ],
    // An address of its own is not changed.
    [{ url: "https://example.org/a." }, { url: "https://example.org/a." }],
    [{ url: "example.org/a" }, { url: "example.org/a" }],
    [
      { url: "A page https://example.org/a", text: "more" },
      { url: A, text: "A page\nmore" },
    ],
    [{ url: "<https://example.org/a>" }, { url: A }],
    [
      { title: "T", text: "See https://example.org/a" },
      { url: A, title: "T", text: "See" },
    ],
    [{ text: "[T](https://example.org/a)" }, { url: A, title: "T" }],
    [
      { title: "T", text: "[U](https://example.org/a)" },
      { url: A, title: "T" },
    ],
    [
      { title: "T https://example.org/a", text: "more" },
      { url: A, title: "T", text: "more" },
    ],
    [{ title: A }, { url: A }],
    [
      { url: "nonsense", text: A },
      { url: A, text: "nonsense" },
    ],
    [
      { url: "nonsense", text: "more" },
      { url: "nonsense", text: "more" },
    ],
    [
      { title: "T", text: "no address" },
      { title: "T", text: "no address" },
    ],
  ])("%j becomes %j", (members, expected) => {
    expect(shared(members)).toEqual({ url: "", title: "", text: "", ...expected });
  });
});
