import { expect, test } from "bun:test";
import { indexedDocument } from "./document.ts";

test("Tokens outside the word sequence of tags are not adjacent to words of the host", () => {
  const { parts } = indexedDocument({
    id: 1,
    createdAt: 0,
    title: "C++ 東京",
    fields: { url: "deep.example /", body: "F#" },
    tags: [{ name: "東京", key: "東京" }],
    page: "",
    host: "deep.example",
  });
  expect(parts.title).toEqual(["c++", "東京", null, "c", null, "京"]);
  expect(parts.tagAndHostWords).toEqual(["東京", null, null, "京", null, "deep", "example"]);
  expect(parts.url).toEqual(["deep", "example"]);
  expect(parts.body).toEqual(["f#", null, "f"]);
});
