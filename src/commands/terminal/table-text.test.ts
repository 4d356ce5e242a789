import { expect, test } from "bun:test";
import { tableText } from "./table-text.ts";

test("A table has a header with the member names, and columns as wide as their contents", () => {
  const table = tableText([
    { id: 1, name: "a", disabled: false },
    { id: 12_345, name: "longer", disabled: true },
  ]);
  expect(table).toBe("id     name    disabled\n1      a       false\n12345  longer  true");
});

test("A table shows missing values as hyphens", () => {
  const table = tableText([{ id: 1, last_used_at: null, expires_at: undefined }]);
  expect(table).toBe("id  last_used_at  expires_at\n1   -             -");
});

test("A table of nothing is nothing", () => {
  expect(tableText([])).toBe("");
});

test("An untrusted text can neither start a new line nor control the terminal", () => {
  const table = tableText([{ name: "new\nline\r\u001b[2J\u009b31m\u202ebackwards\u2028", id: 1 }]);
  expect(table).toMatch(/^\P{C}*\n\P{C}*$/u);
});
