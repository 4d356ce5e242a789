import { expect, test } from "bun:test";
import { csvRecord } from "./write-csv.ts";

test("A record has nothing that a spreadsheet runs as a formula", () => {
  const at = new Date("2026-11-21T06:40:12.345Z");
  const states = { unread: false, archived: false, shared: false };
  const texts = { title: '=HYPERLINK("https://evil.example")', description: "-1\n#+1 #@home" };
  const bookmark = { id: 1, url: "https://example.com/", ...texts, states, createdAt: at, updatedAt: at };
  expect(csvRecord({ ...bookmark, createdBy: null, version: 1, statesUpdatedAt: null }, ["@work"])).toBe(
    `https://example.com/,"'=HYPERLINK(""https://evil.example"")","'-1\n#+1 #@home",'+1 @home,'@work,` +
      "false,false,false,2026-11-21T06:40:12.345Z,2026-11-21T06:40:12.345Z\r\n",
  );
});
