import { expect, test } from "bun:test";
import { formatVerifications, parseVerifications, verificationsError } from "./site-verifications.ts";

const google = { name: "google-site-verification", content: "a-B_c=1" };

test("A verification is a name and a code, or the tag that a service shows to copy", () => {
  for (const line of [
    "google-site-verification a-B_c=1",
    '  <meta name="google-site-verification" content="a-B_c=1" />  ',
    "<META content='a-B_c=1' name=google-site-verification>",
  ]) {
    expect(parseVerifications(`\n${line}\n\n`)).toEqual([google]);
    expect(verificationsError(line)).toBeUndefined();
  }
  for (const name of ["msvalidate.01", "p:domain_verify", "yandex-verification", "seznam-wmt"])
    expect(parseVerifications(`${name} 1`)).toEqual([{ name, content: "1" }]);
  const lines = formatVerifications([google, { name: "msvalidate.01", content: "2" }]);
  expect(formatVerifications(parseVerifications(lines))).toBe(lines);
});

test("Nothing else is one: no tag that changes a page, no script", () => {
  for (const line of [
    "google-site-verification",
    "google-site-verification a b",
    "viewport width=1",
    "referrer unsafe-url",
    "robots none",
    '<meta name="viewport" content="x">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    '<meta name="google-site-verification" content="a"><script>alert(1)</script>',
    '<meta name="google-site-verification" content="a"">',
    "<script>verify()</script>",
    `verify${"y".repeat(80)} 1`,
    `google-site-verification ${"1".repeat(301)}`,
  ])
    if (line.endsWith('"a"">')) expect(parseVerifications(line)).toEqual([{ ...google, content: "a" }]);
    else
      expect([line, parseVerifications(line), typeof verificationsError(line)]).toEqual([line, [], "string"]);
  expect(verificationsError("p:domain_verify 1\n".repeat(21))).toBe("At most 20 lines.");
});
