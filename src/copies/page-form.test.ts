import { describe, expect, test } from "bun:test";
import { Refusal } from "../errors.ts";
import { contentOf, PAGE_FORM } from "./page-form.ts";

const TYPE = "multipart/form-data; boundary=xyz";

async function decoded(body: string, type = TYPE): Promise<Record<string, string>> {
  const request = new Request("http://localhost/", { method: "POST", headers: { "content-type": type } });
  const fields = (await PAGE_FORM.decode(Buffer.from(body), request)) as Record<string, string | File>;
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? value : `${value.name} ${value.type} ${Buffer.from(contentOf(value))}`,
  ]);
  return Object.fromEntries(texts);
}

const field = (content: string, rest = "") =>
  `--xyz\r\nContent-Disposition: form-data; name="a"${rest}\r\n\r\n${content}\r\n`;

describe("A form with a page", () => {
  test.each<[what: string, body: string, fields: Record<string, string>]>([
    ["a field", `${field("1")}--xyz--`, { a: "1" }],
    ["a field twice", `${field("1")}${field("2")}--xyz--\r\n`, { a: "2" }],
    ["an empty field", `${field("")}--xyz--`, { a: "" }],
    ["no field", "--xyz--", {}],
    ["text before and after", `before\r\n${field("1")}--xyz--\r\nafter`, { a: "1" }],
    ["spaces behind the boundary", `${field("1").replace("xyz", "xyz  ")}--xyz--`, { a: "1" }],
    [
      "a file",
      `${field("\r\n--xy\r\n\r\n", `; filename="a：\\".html"\r\ncontent-type: text/html; charset=a`)}--xyz--`,
      { a: `a：\\".html text/html; charset=a \r\n--xy\r\n\r\n` },
    ],
  ])("with %s", async (_, body, fields) => {
    expect(await decoded(body)).toEqual(fields);
  });

  test("with a quoted boundary", async () => {
    expect(await decoded(`${field("1")}--xyz--`, `Multipart/form-data; boundary="xyz"`)).toEqual({ a: "1" });
  });

  test.each<[what: string, body: string, type?: string]>([
    ["nothing", ""],
    ["no boundary", "a"],
    ["no end", field("1")],
    ["half a part", "--xyz\r\nContent-Disposition: form-data; name=a\r\n--xyz--"],
    ["a part without a name", `--xyz\r\nContent-Disposition: form-data\r\n\r\n1\r\n--xyz--`],
    ["a boundary that goes on", `${field("1").replace("--xyz", "--xyza")}--xyz--`],
    ["no boundary in the header", field("1"), "multipart/form-data"],
    ["many parts", `${field("1").repeat(101)}--xyz--`],
    ["a long field", `${field("1".repeat(65_537))}--xyz--`],
  ])("is refused with %s", async (_, body, type) => {
    expect(decoded(body, type)).rejects.toBeInstanceOf(Refusal);
  });
});
