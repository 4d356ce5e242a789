import { describe, expect, test } from "bun:test";
import { FORM_BODY, MULTIPART_BODY } from "./body-decoders.ts";

function urlencoded(text: string | Uint8Array): unknown {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return FORM_BODY.decode(bytes, new Request("http://localhost/"));
}

async function multipart(form: FormData): Promise<unknown> {
  const encoded = new Response(form);
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
  return MULTIPART_BODY.decode(await encoded.bytes(), new Request("http://localhost/", { headers }));
}

describe("A form", () => {
  test("has its fields by name, and all values of a repeated name", () => {
    expect(urlencoded("a=1&b=&c&a=2&a=3&d=x%3Dy+z")).toEqual({
      a: ["1", "2", "3"],
      b: "",
      c: "",
      d: "x=y z",
    });
  });

  test("has LF for the line breaks of a text area, which browsers send as CR LF", () => {
    expect(urlencoded("text=one%0D%0Atwo%0Dthree%0Afour")).toEqual({ text: "one\ntwo\nthree\nfour" });
  });

  test("is decoded as in the URL standard, unless information would be lost", () => {
    expect(urlencoded("a=100%&b=%zz&c=%E2%82%AC&%64=e&&")).toEqual({ a: "100%", b: "%zz", c: "€", d: "e" });
  });

  test("is refused when it is not UTF-8, percent-encoded or not", () => {
    expect(() => urlencoded("a=%ff")).toThrow("not UTF-8");
    expect(() => urlencoded("a=%ed%a0%80")).toThrow("not UTF-8");
    expect(() => urlencoded(Uint8Array.of(0x61, 0x3d, 0xff))).toThrow("not UTF-8");
  });

  test("may have a field of any name", () => {
    const fields = urlencoded("__proto__=x&constructor=y") as object;
    expect(Object.entries(fields)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  test("is refused with more fields than our largest form has", () => {
    expect(() => urlencoded("a&".repeat(10_001))).toThrow("too many fields");
    expect(() => urlencoded(Array.from({ length: 1_001 }, (_, n) => `f${n}`).join("&"))).toThrow(
      "too many fields",
    );
  });
});

describe("A form with files", () => {
  test("has its text fields and files", async () => {
    const form = new FormData();
    form.append("text", "one\r\ntwo €");
    form.append("file", new File(["a,b\r\n"], "list.csv", { type: "text/csv" }));
    const { text, file } = (await multipart(form)) as { text: string; file: File };
    expect(text).toBe("one\ntwo €");
    expect(file.name).toBe("list.csv");
    expect(await file.text()).toBe("a,b\r\n");
  });

  test("is refused when it is not multipart/form-data", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    for (const body of ["", "nonsense", "--y\r\n\r\n--y--"])
      await expect(
        (async () =>
          MULTIPART_BODY.decode(Buffer.from(body), new Request("http://localhost/", { headers })))(),
      ).rejects.toThrow("not multipart");
    const none = new Request("http://localhost/", { headers: { "content-type": "multipart/form-data" } });
    await expect((async () => MULTIPART_BODY.decode(Buffer.from("--x--"), none))()).rejects.toThrow(
      "not multipart",
    );
  });
});
