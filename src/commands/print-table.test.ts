import { afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import { printTable } from "./print-table.ts";

let log: Mock<typeof console.log>;
beforeEach(() => {
  log = spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  log.mockRestore();
});

function printed(): unknown[] {
  return log.mock.calls.map(([line]) => line);
}

test("A table has its members' names above, and columns as wide as what stands in them", () => {
  printTable([
    { id: 1, name: "a", disabled: false },
    { id: 12_345, name: "longer", disabled: true },
  ]);
  expect(printed()).toEqual(["id     name    disabled", "1      a       false", "12345  longer  true"]);
});

test("A table shows what is not there as a hyphen", () => {
  printTable([{ id: 1, last_used_at: null, expires_at: undefined }]);
  expect(printed()).toEqual(["id  last_used_at  expires_at", "1   -             -"]);
});

test("A table of nothing prints nothing", () => {
  printTable([]);
  expect(printed()).toEqual([]);
});

test("A text from elsewhere can neither begin a line of its own nor steer the terminal", () => {
  printTable([{ name: "new\nline\r\u001b[2J\u009b31m\u202ebackwards\u2028", id: 1 }]);
  expect(printed()).toHaveLength(2);
  for (const line of printed()) expect(String(line)).toMatch(/^\P{C}*$/u);
});
