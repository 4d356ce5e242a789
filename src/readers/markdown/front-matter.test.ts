import { describe, expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { FrontMatterError, frontMatterOf } from "./front-matter.ts";

describe("Front matter", () => {
  test.each([
    ["---\ntitle: a\n---\ntext", { title: "a" }, "text"],
    ["--- yaml \r\ntitle: a\r\n---\r\ntext", { title: "a" }, "text"],
    ['+++\ntitle = "a"\n+++', { title: "a" }, ""],
    ['{\n"title": "a"\n}\ntext', { title: "a" }, "text"],
    [
      "Title: A: b\nDate: 2011-04-20\nTags: x, y\nSummary: One\n    two\nModified: 2012-01-01\nStatus: draft\n\ntext",
      {
        title: "A: b",
        date: "2011-04-20",
        tags: "x, y",
        summary: "One two",
        lastmod: "2012-01-01",
        status: "draft",
      },
      "text",
    ],
    [
      "Date: 2011-04-20\r\nStatus: published\r\n\r\ntext",
      { date: "2011-04-20", status: "published" },
      "text",
    ],
    // Nikola.
    [
      "<!--\n.. title: A: b\n.. slug: a\n.. date: 2018-05-01 05:13:26 UTC-05:00\n.. tags: x, draft\n.. category: y\n.. link: \n.. previewimage: /a.jpg\n-->\n\ntext",
      {
        title: "A: b",
        slug: "a",
        date: "2018-05-01 05:13:26 UTC-05:00",
        tags: "x, draft",
        categories: "y",
        image: "/a.jpg",
      },
      "\ntext",
    ],
    [
      ".. title: A\r\n.. status: private\r\n.. status: published\r\n\r\ntext",
      { title: "A", status: "private, published" },
      "text",
    ],
    ["<!-- a -->\n.. title: A\n\ntext", undefined, "<!-- a -->\n.. title: A\n\ntext"],
    ["<!--\nnote\n.. title: A\n-->\ntext", undefined, "<!--\nnote\n.. title: A\n-->\ntext"],
    ["Note: this\n\ntext", undefined, "Note: this\n\ntext"],
    ["Title: this\nis prose\n\ntext", undefined, "Title: this\nis prose\n\ntext"],
    ["text\n---\ntitle: a\n---\n", undefined, "text\n---\ntitle: a\n---\n"],
    ["---\nOne\n\nTwo", undefined, "---\nOne\n\nTwo"],
  ])("of %j is read", (text, members, content) => {
    expect(frontMatterOf(text)).toEqual({ members, content });
  });

  test("has at most 64 KiB", () => {
    const of = (length: number) => `---\n${"title: ".padEnd(length - 1, "x")}\n---\n`;
    expect(frontMatterOf(of(64 * 1024)).members).toHaveProperty("title");
    expect(() => frontMatterOf(of(64 * 1024 + 1))).toThrow(FrontMatterError);
  });

  test("has at most that in all its levels together", () => {
    const of = (within: number) =>
      `---\na: &a "${"x".repeat(1_000)}"\nb: [${"*a, ".repeat(40)}[${"*a, ".repeat(within)}]]\n---\n`;
    expect(frontMatterOf(of(10)).members).toHaveProperty("b");
    expect(() => frontMatterOf(of(40))).toThrow("aliases");
  });

  test.each([
    ["values", `a: &a "${"x".repeat(1_000)}"\nb: [${"*a, ".repeat(98)}]`],
    ["names", `a: &a { ${"x".repeat(1_000)}: 1 }\nb: [${"*a, ".repeat(98)}]`],
    ["lists", `a: &a [${"[],".repeat(1_000)}]\nb: [${"*a, ".repeat(98)}]`],
  ])("has at most that with the %s that its aliases stand for", (_, yaml) => {
    expect(() => frontMatterOf(`---\n${yaml}\n---\n`)).toThrow("aliases");
    expect(frontMatterOf(`---\n${yaml.replace(/(?:\*a, ){90}/, "")}\n---\n`).members).toHaveProperty("b");
  });

  test("full of errors is refused by the first one, in time that grows with its length alone", async () => {
    const counting = await countingModules<typeof import("./front-matter.ts")>(
      import.meta.resolve("./front-matter.ts"),
    );
    await expectLinear((length) =>
      expect(() => counting.frontMatterOf(`---\na: 1\nb: "${"\\q".repeat(length)}"\n---\n`)).toThrow(
        "Invalid escape",
      ),
    );
  });

  test("is not what Logseq writes with two colons", () => {
    const text = "title:: A\npublic:: true\n\n- Words";
    expect(frontMatterOf(text)).toEqual({ members: undefined, content: text });
  });

  test.each([
    ["YAML", `---\na: ${"[".repeat(30)}${"]".repeat(30)}\n---\n`],
    ["YAML with an alias of what it is in", "---\na: &a [*a, *a]\n---\n"],
    ["TOML", `+++\n${"a.".repeat(20_000)}a = 1\n+++\n`],
    ["JSON", `{\n"a": ${"[".repeat(10_000)}${"]".repeat(10_000)}\n}\n`],
  ])("that is nested too deeply is refused with a sentence: %s", (_, text) => {
    expect(() => frontMatterOf(text)).toThrow(FrontMatterError);
  });
});
