import { expect, test } from "bun:test";
import { Refusal } from "../errors.ts";
import { envelope, pageOf } from "./pagination.ts";

const LIST = "https://blog.example/api/posts/";

test("A page without parameters is the first, of 20 items", () => {
  expect(pageOf({}, 45)).toEqual({ number: 1, limit: 20, offset: 0, count: 45 });
});

test("Each page begins where the previous one ends", () => {
  expect(pageOf({ page: 3 }, 45)).toMatchObject({ number: 3, offset: 40 });
  expect(pageOf({ page: 4, page_size: 7 }, 28)).toMatchObject({ limit: 7, offset: 21 });
});

test("The last page is the one with the last item, and the first where there is none", () => {
  expect(pageOf({ page: "last" }, 45).number).toBe(3);
  expect(pageOf({ page: "last" }, 40).number).toBe(2);
  expect(pageOf({ page: "last" }, 1).number).toBe(1);
  expect(pageOf({ page: "last" }, 0)).toMatchObject({ number: 1, offset: 0 });
  expect(pageOf({}, 0).number).toBe(1);
});

test("A page past the end is refused", () => {
  const wrong = [
    [0, 45],
    [-1, 45],
    [-0, 45],
    [4, 45],
    [3, 40],
    [2, 0],
    [Number.POSITIVE_INFINITY, 45],
  ] as const;
  for (const [page, count] of wrong) expect(() => pageOf({ page }, count)).toThrow(Refusal);
});

test("An envelope has its four members in order, and links to the existing neighbors", () => {
  const links = (page: number, count: number) => {
    const { next, previous } = envelope(pageOf({ page, page_size: 2 }, count), LIST, "?page_size=2", []);
    return [previous, next];
  };
  const link = (page: number) => `${LIST}?page_size=2&page=${page}`;
  expect(links(1, 5)).toEqual([null, link(2)]);
  expect(links(2, 5)).toEqual([link(1), link(3)]);
  expect(links(3, 5)).toEqual([link(2), null]);
  expect(links(1, 2)).toEqual([null, null]);
  expect(links(1, 0)).toEqual([null, null]);
  const whole = envelope(pageOf({}, 1), LIST, "", ["item"]);
  expect(Object.entries(whole)).toEqual([
    ["count", 1],
    ["next", null],
    ["previous", null],
    ["results", ["item"]],
  ]);
});

test("Links keep the meaning of the rest of the query, however it is encoded", () => {
  const { next } = envelope(pageOf({}, 100), LIST, "?a=1&page=1&a=2&q=%26%3D%C3%A9+x&empty", []);
  const query = new URL(next ?? "").searchParams;
  expect(query.getAll("page")).toEqual(["2"]);
  expect(query.getAll("a")).toEqual(["1", "2"]);
  expect(query.get("q")).toBe("&=é x");
  expect(query.get("empty")).toBe("");
});
