import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { rounds } from "../../test/support/run/full-run.ts";
import { countingModules, expectLinear } from "../../test/support/steps/count-steps.ts";
import { splitDescription, tagsOf, textOf } from "./description-tags.ts";
import { addTags, editedDescription, parseTagList, retag, withTags } from "./retag.ts";
import { isTagName, makeTagName, tagKey } from "./tag-name.ts";

describe("Retagging", () => {
  test.each([
    ["adds to the tag line", "A page.\n#a", ["a", "R&D"], "A page.\n#a #R&D"],
    ["makes a tag line", "A page.", ["2024"], "A page.\n#2024"],
    ["makes one of an empty description", "", ["2024", "C#"], "#2024 #C#"],
    ["does not add what the text has", "A #page.", ["page", "a"], "A #page.\n#a"],
    ["takes tags off the tag line", "A page.\n#a #b #c\n", ["a", "c"], "A page.\n#a #c\n"],
    ["takes the tag line away with its last tag", "A page.\n\n#a\n", [], "A page."],
    ["leaves the word in the text", "About #dev/js.\n#a", ["a"], "About dev/js.\n#a"],
    ["keeps blank space at the end of a text", "About #dev \n", [], "About dev \n"],
    ["replaces a spelling", "About #dev/js.\n#a #DEV/js", ["Dev/JS", "A"], "About #Dev/JS.\n#A #Dev/JS"],
    ["lets no line above become the tag line", "#1 #2\n#dev", [], "1 2"],
    ["nor add tags", "#1 #dev\n#js", ["dev"], "#1 #dev\n#dev"],
    ["leaves what is no tag", "C# #1 # heading", ["a"], "C# #1 # heading\n#a"],
  ])("%s", (_, description, names, retagged) => {
    expect(retag(description, names)).toBe(retagged);
  });

  test("results in exactly the given tags", () => {
    fc.assert(
      fc.property(descriptions, fc.array(names, { maxLength: 6 }), (description, wanted) => {
        expect(keys(tagsOf(retag(description, wanted)))).toEqual(keys(wanted));
      }),
      { numRuns: rounds(300, 5_000) },
    );
  });

  test("adds the same tags in one step", () => {
    fc.assert(
      fc.property(descriptions, fc.array(names, { maxLength: 6 }), (description, added) => {
        expect(addTags(description, added)).toBe(retag(description, [...tagsOf(description), ...added]));
      }),
      { numRuns: rounds(300, 5_000) },
    );
  });

  test("changes nothing when the tags are the same", () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        expect(retag(description, tagsOf(description))).toBe(description);
        if (tagsOf(description).length === 0) expect(retag(description, [])).toBe(description);
      }),
      { numRuns: rounds(300, 5_000) },
    );
  });

  test("leaves all text except hash signs and the tag line unchanged", () => {
    fc.assert(
      fc.property(descriptions, fc.array(names, { minLength: 1, maxLength: 4 }), (description, wanted) => {
        const before = splitDescription(description).text.replaceAll("#", "").trimEnd();
        const after = splitDescription(retag(description, [...tagsOf(description).slice(1), ...wanted]));
        expect(tagKey(after.text.replaceAll("#", "")).trimEnd()).toBe(tagKey(before));
      }),
      { numRuns: rounds(300, 4_000) },
    );
  });

  test.each(["#a ", "#1 ", "\n", " ", "#a\n"])(
    "takes time that is linear in the length of a text of nothing but %j",
    async (piece) => {
      const counting = await countingModules<typeof import("./retag.ts")>(import.meta.resolve("./retag.ts"));
      await expectLinear((length) => {
        counting.retag(`${piece.repeat(length)}\n#x`, ["b"]);
        counting.retag(piece.repeat(length), []);
      });
    },
  );
});

describe("A text with tags", () => {
  test.each([
    ["#1 #2", ["dev"], "#1 #2\n#dev"],
    ["#1 #2", [], "1 2"],
    ["A #page", ["page"], "A #page"],
    ["", ["C#"], "#C#"],
  ])("%j with %j", (text, names, description) => {
    expect(withTags(text, names)).toBe(description);
  });

  test("has the given names and the hashtags in the text, and textOf returns the text", () => {
    fc.assert(
      fc.property(descriptions, fc.array(names, { minLength: 1, maxLength: 4 }), (text, wanted) => {
        const inside = tagsOf(`${text} x`);
        const description = withTags(text, wanted);
        expect(keys(tagsOf(description))).toEqual(keys([...inside, ...wanted]));
        if (keys(inside).length === 0) expect(textOf(description)).toBe(text.trimEnd());
      }),
      { numRuns: rounds(300, 4_000) },
    );
  });
});

describe("A tag name", () => {
  test.each([
    ["web", "web"],
    ["dev tools", "dev-tools"],
    ["  spaced \t  out ", "spaced-out"],
    ["Work - 2023", "Work-2023"],
    ["Linux, Unix,", "Linux-Unix"],
    ["-", "-"],
    ["Dev/JS", "Dev/JS"],
    ["C#", "C#"],
    ["R&D", "R&D"],
    ["@home", "@home"],
    ["2024", "2024"],
    ["#dev", "dev"],
    ["# dev", "dev"],
    ["dev,", "dev"],
    ["a\u0000b", "a-b"],
    ["\u0301a", "a"],
    ["#", null],
    [" ,", null],
    ["", null],
  ])("made of %j is %j", (text, name) => {
    expect(makeTagName(text)).toBe(name);
  });

  test("has at most 200 characters", () => {
    expect(makeTagName("😀".repeat(201))).toBe("😀".repeat(200));
    expect(isTagName("😀".repeat(201))).toBe(false);
  });

  test("is read back from the tag line", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })), (text) => {
        const name = makeTagName(text);
        if (name !== null) expect(tagsOf(`text\n#${name}`)).toEqual([name]);
        if (name !== null) expect(isTagName(name)).toBe(true);
        if (isTagName(text)) expect(makeTagName(text)).toBe(text);
      }),
      { numRuns: rounds(150, 2_000) },
    );
  });
});

const pieces = fc.constantFrom(
  ...["#", "# ", "##", "#a", "#A", "#a/b", "#dev.", "#1", "#C#", "#R&D", "#,", "#a,", "a", ".", "/", "-"],
  ...[
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "  ",
    "\u0301",
    "\ufe0f\u20e3",
    "é",
    "#É",
    "#e\u0301",
    "#ẞ",
    "#İ",
    "#ΑΣ",
  ],
  ...["😀", "\u2028", "\u0085", "\u200b", "\u0001", "text", ","],
);
const descriptions = fc.oneof(
  { weight: 8, arbitrary: fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const names = fc
  .oneof(
    fc.constantFrom(
      "a",
      "A",
      "a/b",
      "dev",
      "dev.",
      "1",
      "C#",
      "R&D",
      "é",
      "e\u0301",
      "İ",
      "ας",
      "ασ",
      "@home",
    ),
    fc.string({ unit: "grapheme", minLength: 1 }),
  )
  .map(makeTagName)
  .filter((name) => name !== null);

function keys(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tagKey))].toSorted();
}

describe("editedDescription", () => {
  test("puts the tags on the tag line", () => {
    expect(editedDescription("A text.", ["dev/js", "2024"], "")).toBe("A text.\n#dev/js #2024");
    expect(editedDescription("", ["C#"], "")).toBe("#C#");
    expect(editedDescription("Only text.", [], "")).toBe("Only text.");
  });

  test("removes the # of a hashtag in the text that is no longer among the names", () => {
    expect(editedDescription("See #bread now.", [], "See #bread now.")).toBe("See bread now.");
    expect(editedDescription("See #bread now.", ["rye"], "See #bread now.")).toBe("See bread now.\n#rye");
  });

  test("treats a newly written hashtag as a tag", () => {
    expect(tagsOf(editedDescription("Now #fresh.", ["old"], "#old"))).toEqual(["fresh", "old"]);
  });

  test("leaves any description unchanged by an edit without changes", () => {
    const words = fc.constantFrom(
      "a",
      "#tag",
      "#2024",
      "#C#",
      "\n",
      " ",
      "#",
      "##x",
      "#dev/js",
      ".",
      "b\n\n",
    );
    fc.assert(
      fc.property(
        fc.array(words).map((parts) => parts.join(" ")),
        (description) => {
          expect(editedDescription(textOf(description), tagsOf(description), description)).toBe(description);
        },
      ),
    );
  });
});

describe("parseTagList", () => {
  test("separates by commas, and corrects invalid names", () => {
    expect(parseTagList(" recipes, #winter salad ,, C#,dev/js,")).toEqual([
      "recipes",
      "winter-salad",
      "C#",
      "dev/js",
    ]);
  });

  test("leaves names whole that were there and have commas", () => {
    const present = ["a,b", "a,b,c", "c"];
    expect(parseTagList("a,b, c, d", present)).toEqual(["a,b", "c", "d"]);
    expect(parseTagList("d, a,b,c ,e", present)).toEqual(["d", "a,b,c", "e"]);
    expect(parseTagList("a, b,c", present)).toEqual(["a", "b", "c"]);
    expect(parseTagList("b,a,b", present)).toEqual(["b", "a,b"]);
    expect(parseTagList("a,b", [])).toEqual(["a", "b"]);
  });
});
