import { expect, test } from "bun:test";
import { NO_STATES } from "../../records/bookmark-members.ts";
import { csvRecord } from "./write-csv.ts";

test("A record has nothing that a spreadsheet runs as a formula", () => {
  const at = new Date("2026-11-21T06:40:12.345Z");
  const others = { ...NO_STATES, version: 1, createdBy: null, statesUpdatedAt: null, notBefore: null };
  const texts = { title: '=HYPERLINK("https://evil.example")', description: "-1\n#+1 #@home" };
  const bookmark = { id: 1, url: "https://example.com/", ...texts, createdAt: at, updatedAt: at };
  expect(csvRecord({ ...bookmark, ...others }, ["@work"])).toBe(
    `https://example.com/,"'=HYPERLINK(""https://evil.example"")","'-1\n#+1 #@home",'+1 @home,'@work,` +
      "false,false,false,2026-11-21T06:40:12.345Z,2026-11-21T06:40:12.345Z\r\n",
  );
});
