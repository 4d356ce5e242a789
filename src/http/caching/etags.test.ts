import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { checkPreconditions, entityTag, isNotModified } from "./etags.ts";

const NOT_A_TAG = "If-Match is not an entity tag: send the ETag with its quotation marks.";
const ETAG = entityTag("5bfac045", 7);

describe("entityTag", () => {
  test("is a strong tag of epoch and version", () => {
    expect(ETAG).toBe('"5bfac045.7"');
  });

  test("differs by epoch and version", () => {
    const tags = new Set([
      ETAG,
      entityTag("5bfac046", 7),
      entityTag("5bfac045", 8),
      entityTag("5bfac0457", 7),
    ]);
    expect(tags.size).toBe(4);
  });
});

describe("isNotModified", () => {
  const holds = (header: string | undefined) => isNotModified(requestWith("if-none-match", header), ETAG);

  test("is false without If-None-Match", () => {
    expect(holds(undefined)).toBeFalse();
  });

  test("compares weakly", () => {
    for (const header of [ETAG, `W/${ETAG}`, `"x" , W/${ETAG}`, "*", " * "]) expect(holds(header)).toBeTrue();
  });

  test("is false for a header that is not a list of tags", () => {
    for (const header of ["", "5bfac045.7", `x${ETAG}`, `w/${ETAG}`, `${ETAG} ${ETAG}`, `"${ETAG}`])
      expect(holds(header)).toBeFalse();
  });

  test("is false for any header without the tag", () => {
    const strings = fc.string({ unit: fc.constantFrom('"', ",", "W", "/", " ", ".", "5", "7", "\\") });
    fc.assert(
      fc.property(strings, (header) => {
        expect(holds(header)).toBeFalse();
      }),
      { seed: 20_261_121, numRuns: 1_000 },
    );
  });

  test.each([" ", '",', ",", '"x",', ' "'])(
    "takes time in proportion to the length of a header of nothing but %j",
    async (piece) => {
      const counting = await countingModules<typeof import("./etags.ts")>(import.meta.resolve("./etags.ts"));
      await expectLinear((length) =>
        counting.isNotModified(requestWith("if-none-match", `"${piece.repeat(length)}`), ETAG),
      );
    },
  );
});

describe("checkPreconditions", () => {
  const check = (name: string, header: string) => () => checkPreconditions(requestWith(name, header), ETAG);
  const failed = expect.objectContaining({ reason: "precondition_failed" });

  test("allows every request without the headers", () => {
    expect(() => checkPreconditions(requestWith("accept", "*/*"), ETAG)).not.toThrow();
  });

  test("accepts in If-Match also the weak form of our tag, which a proxy that compresses makes of it", () => {
    for (const header of [ETAG, `"x", ${ETAG}`, `W/${ETAG}`, `W/"5bfac045.7.gzip"`, "*"])
      expect(check("if-match", header)).not.toThrow();
    for (const header of [`W/"5bfac045.8"`, `w/${ETAG}`, '"x"', "", "5bfac045.7"])
      expect(check("if-match", header)).toThrow(failed);
  });

  test("says whether another version or no tag was sent", () => {
    const said: [header: string, detail: string][] = [
      ['"5bfac045.6"', "The record has changed: If-Match does not match the current ETag."],
      ["5bfac045.7", NOT_A_TAG],
      ["'5bfac045.7'", NOT_A_TAG],
      ["", NOT_A_TAG],
    ];
    for (const [header, detail] of said) expect(check("if-match", header)).toThrow(detail);
  });

  test("compares If-None-Match weakly", () => {
    for (const header of [ETAG, `W/${ETAG}`, "*"]) expect(check("if-none-match", header)).toThrow(failed);
    expect(check("if-none-match", '"x"')).not.toThrow();
  });

  test("accepts the tag of any content coding of the version, one of a proxy too", () => {
    for (const suffix of [".gzip", ".br", "-gzip", "-br", "-zstd"])
      expect(check("if-match", `"5bfac045.7${suffix}"`)).not.toThrow();
    for (const tag of ["5bfac045.8.gzip", "5bfac045.8-gzip", "5bfac045.7-x", "5bfac045.7.gzip-gzip"])
      expect(check("if-match", `"${tag}"`)).toThrow(failed);
  });
});

function requestWith(name: string, value: string | undefined): Request {
  return new Request("http://localhost/", { headers: value === undefined ? {} : { [name]: value } });
}
