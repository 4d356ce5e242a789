import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ROWS_FILE, rowTypes } from "./write-rows.ts";

test("The types of rows are those of the schema; `npm run rows` writes them", () => {
  expect(readFileSync(ROWS_FILE, "utf8")).toBe(rowTypes());
});
