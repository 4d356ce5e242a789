import { expect, test } from "bun:test";
import { Refusal } from "../errors.ts";
import { WaitingUploads } from "./import-pages.ts";

test("Ten uploads have a place, the eleventh is refused until one has ended", () => {
  const uploads = new WaitingUploads();
  const places = Array.from({ length: 10 }, () => uploads.enter());
  expect(() => uploads.enter()).toThrow(Refusal);
  places[3]?.[Symbol.dispose]();
  expect(() => uploads.enter()).not.toThrow();
  expect(() => uploads.enter()).toThrow(Refusal);
});
