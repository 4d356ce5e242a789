import { describe, expect, test } from "bun:test";
import type { ValidationCode } from "../../../src/errors.ts";
import cases from "../../data/urls/urltestdata.json" with { type: "json" };
import { bookmarkIn, COLLECTION, create, draft, pathOf, read } from "../../support/records/bookmarks.ts";
import { expectErrors } from "../../support/requests/problems.ts";
import { describeContract } from "../../support/server/contract.ts";

/** What is sent, and the text form in which it is stored and returned. */
const textForms: Record<string, string> = {
  "https://example.com": "https://example.com/",
  "HTTP://EXAMPLE.com:80/a b": "http://example.com/a%20b",
  "https://münchen.de/": "https://xn--mnchen-3ya.de/",
  "https://example.com:443/": "https://example.com/",
  "http://example.com:443/": "http://example.com:443/",
  "https://example.com/a/../b/./c": "https://example.com/b/c",
  "https://example.com/?q=a b&é": "https://example.com/?q=a%20b&%C3%A9",
  "https://example.com/?a=1&copy=2#frag ment": "https://example.com/?a=1&copy=2#frag%20ment",
  "https:example.com": "https://example.com/",
  "https:\\\\example.com\\a": "https://example.com/a",
  "http://0x7f.1/": "http://127.0.0.1/",
  "http://[2001:DB8:0:0::1]/": "http://[2001:db8::1]/",
  "https://user:p%40ss@example.com/": "https://user:p%40ss@example.com/",
  "https://example.com/%7Euser/😀": "https://example.com/%7Euser/%F0%9F%98%80",
  " \t\r\n\u0001https://example.com/\u001f \n": "https://example.com/",
};

const refused: Record<string, ValidationCode> = {
  "": "url_invalid",
  " ": "url_invalid",
  "example.com": "url_invalid",
  "/path": "url_invalid",
  "//example.com/": "url_invalid",
  "http://": "url_invalid",
  "http://?": "url_invalid",
  "http://a b/": "url_invalid",
  "http://example.com:65536/": "url_invalid",
  "http://[::1/": "url_invalid",
  "http://256.256.256.256/": "url_invalid",
  "https://exa%mple.com/": "url_invalid",
  "ftp://example.com/": "url_scheme",
  "javascript:alert(1)": "url_scheme",
  "JavaScript://example.com/%0aalert(1)": "url_scheme",
  "data:text/html,x": "url_scheme",
  "file:///etc/passwd": "url_scheme",
  "mailto:a@example.com": "url_scheme",
  "place:sort=8": "url_scheme",
  "about:blank": "url_scheme",
  "httpx://example.com/": "url_scheme",
  "https://example.com/a\tb": "bad_character",
  "https://exam\nple.com/": "bad_character",
  "ht\rtps://example.com/": "bad_character",
  "https://example.com/a\u0000b": "bad_character",
  "https://example.com/\u0000": "bad_character",
  "\u0000https://example.com/": "bad_character",
  "https://example.com/a\u007fb": "bad_character",
  "https://example.com/a\u0085b": "bad_character",
  "java\nscript:alert(1)": "bad_character",
  "https://example.com/\ud800": "bad_character",
};

interface UrlCase {
  readonly input: string;
  readonly base: string | null;
  readonly href?: string;
  readonly failure?: boolean;
}

describeContract("A URL", (service) => {
  const post = (url: string) => service.send(COLLECTION, { method: "POST", json: { ...draft, url } });

  describe("is returned in its text form:", () => {
    for (const [input, href] of Object.entries(textForms)) {
      test(`${JSON.stringify(input)} as ${href}`, async () => {
        const bookmark = await create(service.send, { url: input });
        expect(bookmark.url).toBe(href);
        expect((await read(service.send, bookmark)).url).toBe(href);
      });
    }

    test("also when it is replaced or changed", async () => {
      const bookmark = await create(service.send);
      const json = { ...draft, url: "HTTP://EXAMPLE.com" };
      for (const method of ["PUT", "PATCH"]) {
        const response = await service.send(pathOf(bookmark), { method, json });
        expect(await response.json()).toMatchObject({ url: "http://example.com/" });
      }
    });
  });

  describe("is refused:", () => {
    for (const [input, code] of Object.entries(refused)) {
      test(`${JSON.stringify(input)} with ${code}`, async () => {
        await expectErrors(await post(input), { pointer: "/url", code });
      });
    }
  });

  describe("has at most 500 characters in its text form:", () => {
    const prefix = "https://example.com/";
    const lengths: [description: string, url: string, ok: boolean][] = [
      ["500 may be", prefix + "x".repeat(500 - prefix.length), true],
      ["501 is too long", prefix + "x".repeat(501 - prefix.length), false],
      ["495 that become 500 may be", `${prefix}é${"x".repeat(500 - 26)}`, true],
      ["200 that become more than 500 are too long", prefix + "é".repeat(180), false],
      ["1,020 that become 20 may be", `${prefix}${"./".repeat(500)}`, true],
      ["600 spaces around a short one may be", `${" ".repeat(300)}${prefix}${" ".repeat(300)}`, true],
    ];
    for (const [description, url, ok] of lengths) {
      test(description, async () => {
        if (ok) {
          const stored = await create(service.send, { url });
          expect(stored.url).toBe(new URL(url).href);
          expect(stored.url.length).toBeLessThanOrEqual(500);
        } else await expectErrors(await post(url), { pointer: "/url", code: "too_long" });
      });
    }
  });

  describe("of the URL standard's own cases", () => {
    const absolute = (cases as (string | UrlCase)[])
      .filter((item) => typeof item !== "string")
      .filter(isAbsolute);

    test("that is http or https is stored as the href of the standard", async () => {
      const web = absolute.filter(({ input, href }) => isWeb(href) && !hasBadCharacter(input));
      expect(web).toHaveLength(143);
      for (const { input, href = "" } of web) {
        const response = await post(input);
        expect(response.status, input).toBe(201);
        expect((await bookmarkIn(response)).url).toBe(href);
      }
    });

    test("with a control character or an unpaired surrogate inside is refused", async () => {
      const bad = absolute.filter(({ input, href }) => isWeb(href) && hasBadCharacter(input));
      expect(bad).toHaveLength(13);
      for (const { input } of bad)
        await expectErrors(await post(input), { pointer: "/url", code: "bad_character" });
    });

    test("that fails to parse is refused", async () => {
      const failures = absolute.filter(({ failure }) => failure);
      expect(failures).toHaveLength(228);
      for (const { input } of failures) expect((await post(input)).status, input).toBe(422);
    });

    test("that has another scheme is refused", async () => {
      const others = absolute.filter(({ href }) => href !== undefined && !isWeb(href));
      expect(others).toHaveLength(114);
      for (const { input } of others) expect((await post(input)).status, input).toBe(422);
    });
  });
});

/** Whether a case needs no base: it has none, or begins with a scheme and two slashes of its own. */
function isAbsolute({ input, base }: UrlCase): boolean {
  return base === null || base === "about:blank" || /^https?:[/\\]{2}/i.test(trimmed(input));
}

function isWeb(href: string | undefined): boolean {
  return /^https?:/.test(href ?? "");
}

function hasBadCharacter(input: string): boolean {
  return !input.isWellFormed() || input.includes("\0") || /\p{Cc}/u.test(trimmed(input));
}

/** Without the C0 controls and spaces around it that the standard removes. */
function trimmed(input: string): string {
  let start = 0;
  let end = input.length;
  while (start < end && input.charCodeAt(start) <= 0x20) start++;
  while (end > start && input.charCodeAt(end - 1) <= 0x20) end--;
  return input.slice(start, end);
}
