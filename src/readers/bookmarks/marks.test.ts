import { expect, test } from "bun:test";
import { markOf, marksIn, marksInMarkdown, marksInText } from "./marks.ts";

const said = ({ quote, note = "" }: { quote: string; note?: string }) => [quote.trim(), note.trim()];

test.each([
  ["", [["", ""]]],
  [
    "one\ntwo",
    [
      ["one", ""],
      ["two", ""],
    ],
  ],
  ["Highlight:one", [["one", ""]]],
  [
    "Highlight: one\nmore\nNote: mine\nof two lines\n\nhighlight: two",
    [
      ["one\nmore", "mine\nof two lines"],
      ["two", ""],
    ],
  ],
  [
    "before\nHighlight:one",
    [
      ["before", ""],
      ["one", ""],
    ],
  ],
  ["Note:mine", [["", "mine"]]],
])("a field of CSV with %p has %p", (text, marks) => {
  expect(marksInText(text).map(said)).toEqual(marks);
});

test.each([
  ["> one ", [["one", ""]]],
  [
    "> one\n> \nmore \n\n#a #b\n\nmine\n\nmore\n\n> two ",
    [
      ["one\n\nmore", "#a #b\n\nmine\n\nmore"],
      ["two", ""],
    ],
  ],
  [
    "on the page\n\n> one",
    [
      ["", "on the page"],
      ["one", ""],
    ],
  ],
  ["> one \r\n \r\nmine", [["one", "mine"]]],
])("a file of Omnivore's with %p has %p", (text, marks) => {
  expect(marksInMarkdown(text).map(said)).toEqual(marks);
});

test.each([
  [{ quote: "a", text: "mine" }, ["a", "mine"]],
  [{ quote: "a", annotation: "mine" }, ["a", "mine"]],
  [{ quote: "", text: "on the page" }, ["", "on the page"]],
  [{ text: "a", note: "mine" }, ["a", "mine"]],
  [{ text: "a", comment: "mine" }, ["a", "mine"]],
  [{ text: 1, note: ["mine"] }, ["", ""]],
])("%p is %p", (mark, expected) => {
  expect(marksIn([mark]).map(said)).toEqual([expected]);
  expect(marksIn({ id: mark }).map(said)).toEqual([expected]);
});

test.each(["highlighted_at", "created", "created_at", "createdAt"])(
  "a mark is as old as its %s says",
  (member) => {
    expect(markOf({ text: "a", [member]: "2024-10-29" }).date).toBe("2024-10-29");
  },
);
