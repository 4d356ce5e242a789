import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import naughtyStrings from "../../data/naughty-strings/blns.json" with { type: "json" };
import { COLLECTION, create, draft, pathOf, read } from "../../support/records/bookmarks.ts";
import { expectErrors } from "../../support/requests/problems.ts";
import { rounds } from "../../support/run/full-run.ts";
import { describeContract } from "../../support/server/contract.ts";

const COMPOSED = "Ame\u0301lie".normalize("NFC");
const DECOMPOSED = "Ame\u0301lie".normalize("NFD");
const FAMILY = "👩‍👩‍👧‍👦";

/** Texts that a careless server would change. */
const kept: Record<string, string> = {
  "spaces around it": "  a title  ",
  "spaces alone": "   ",
  "a tab and line feeds": "\ta\r\nb\nc\r",
  "a no-break space and a zero-width one": "\u00a0a\u200bb\ufeff",
  "a byte-order mark at the start": "\ufeffa",
  "composed letters": COMPOSED,
  "decomposed letters": DECOMPOSED,
  "a compatibility ligature": "ﬁ",
  "an emoji of seven code points": FAMILY,
  "text from right to left with overrides": "\u202eשלום\u202c مرحبا",
  noncharacters: "\ufffe\uffff\u{1fffe}\u{10ffff}",
  "a replacement character": "\ufffd",
  "control characters": "\u0001\u0007\u001b[31m\u007f\u0085",
  HTML: "<script>alert('1')</script>&amp;&lt;",
  SQL: "'; drop table bookmarks; --",
  "backslashes and quotes": '\\"\\u0041\\',
  "line separators": "a\u2028b\u2029c",
};

/** Texts that no engine is sure to store, with the JSON that carries them. */
const refused: Record<string, string> = {
  "U+0000": '"a\\u0000b"',
  "U+0000 alone": '"\\u0000"',
  "a leading surrogate alone": '"a\\ud800b"',
  "a trailing surrogate alone": '"a\\udc00b"',
  "surrogates the wrong way round": '"\\udc00\\ud800"',
  "a leading surrogate at the end": '"a\\ud83d"',
};

describeContract("Text", (service) => {
  describe("is kept and returned as sent, code point for code point:", () => {
    for (const [description, text] of Object.entries(kept)) {
      test(description, async () => {
        const bookmark = await create(service.send, { title: text, description: text });
        expect(bookmark).toMatchObject({ title: text, description: text });
        expect(await read(service.send, bookmark)).toEqual(bookmark);
      });
    }

    test("also when it is replaced or changed", async () => {
      const bookmark = await create(service.send);
      const json = { ...draft, title: ` ${DECOMPOSED} `, description: ` ${COMPOSED} ` };
      await service.send(pathOf(bookmark), { method: "PUT", json });
      expect(await read(service.send, bookmark)).toMatchObject(json);
      await service.send(pathOf(bookmark), { method: "PATCH", json: { title: "\tx " } });
      expect((await read(service.send, bookmark)).title).toBe("\tx ");
    });

    test("a description as long as the body limit allows", async () => {
      const overhead = Buffer.byteLength(JSON.stringify({ ...draft, description: "" }));
      const description = "é".repeat(Math.floor((1024 * 1024 - overhead) / 2));
      const bookmark = await create(service.send, { description });
      expect((await read(service.send, bookmark)).description === description).toBeTrue();
    });

    test("random texts", async () => {
      const text = fc.string({ unit: "binary", maxLength: 200 }).filter((value) => !value.includes("\0"));
      await fc.assert(
        fc.asyncProperty(text, text, async (title, description) => {
          const bookmark = await create(service.send, { title, description });
          expect(await read(service.send, bookmark)).toMatchObject({ title, description });
        }),
        { seed: 20_261_121, numRuns: rounds(12, 100) },
      );
    });

    test("every string of the big list of naughty strings that is short enough for a title", async () => {
      const titles = naughtyStrings.filter((text) => isStorable(text) && [...text].length <= 200);
      expect(titles.length).toBeGreaterThan(400);
      for (const title of titles.filter((_, index) => index % rounds(8, 1) === 0)) {
        const bookmark = await create(service.send, { title, description: title });
        expect(await read(service.send, bookmark)).toMatchObject({ title, description: title });
      }
    });

    test("every longer one of them as a description; as a title, it is refused", async () => {
      for (const text of naughtyStrings.filter((text) => isStorable(text) && [...text].length > 200)) {
        expect(await create(service.send, { description: text })).toMatchObject({ description: text });
        const response = await service.send(COLLECTION, { method: "POST", json: { ...draft, title: text } });
        await expectErrors(response, { pointer: "/title", code: "too_long" });
      }
    });

    test("or, if not every engine can store a naughty string, refused", async () => {
      for (const title of naughtyStrings.filter((text) => !isStorable(text))) {
        const response = await service.send(COLLECTION, { method: "POST", json: { ...draft, title } });
        await expectErrors(response, { pointer: "/title", code: "bad_character" });
      }
    });
  });

  describe("that not every engine can store is refused:", () => {
    for (const [description, json] of Object.entries(refused)) {
      test(description, async () => {
        const fields = { ...draft, title: "TEXT", description: "TEXT" };
        const body = JSON.stringify(fields).replaceAll('"TEXT"', json);
        const headers = { "content-type": "application/json" };
        const faults = [
          { pointer: "/title", code: "bad_character" },
          { pointer: "/description", code: "bad_character" },
        ] as const;
        await expectErrors(await service.send(COLLECTION, { method: "POST", headers, body }), ...faults);
        const path = pathOf(await create(service.send));
        await expectErrors(await service.send(path, { method: "PUT", headers, body }), ...faults);
        await expectErrors(await service.send(path, { method: "PATCH", headers, body }), ...faults);
      });
    }
  });

  describe("A title's length", () => {
    const lengths: [description: string, title: string, ok: boolean][] = [
      ["no character", "", true],
      ["200 letters", "x".repeat(200), true],
      ["201 letters", "x".repeat(201), false],
      ["200 emoji, which are 400 UTF-16 units and 800 bytes", "😀".repeat(200), true],
      ["201 emoji", "😀".repeat(201), false],
      ["200 letters of three bytes each", "漢".repeat(200), true],
      ["100 letters with a combining accent each", "e\u0301".repeat(100), true],
      ["100 such letters and one more", `${"e\u0301".repeat(100)}e`, false],
      ["28 families of seven code points and four more", `${FAMILY.repeat(28)}1234`, true],
      ["29 families", FAMILY.repeat(29), false],
      ["200 spaces", " ".repeat(200), true],
      ["199 letters and two spaces, which are not trimmed away", `${"x".repeat(199)}  `, false],
    ];
    for (const [description, title, ok] of lengths) {
      test(`counts code points: ${description} ${ok ? "may be" : "is too long"}`, async () => {
        const response = await service.send(COLLECTION, { method: "POST", json: { ...draft, title } });
        if (ok) expect(await response.json()).toMatchObject({ title });
        else {
          const { errors } = await expectErrors(response, { pointer: "/title", code: "too_long" });
          expect(errors?.[0]?.detail).toContain(String([...title].length));
        }
        expect(response.status).toBe(ok ? 201 : 422);
      });
    }
  });
});

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
