import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tagsOf, textOf } from "./description-tags.ts";
import { editedDescription, parseTagList } from "./edited-description.ts";

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
});
