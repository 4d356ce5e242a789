import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApp, type TestApp } from "../../support/server/app.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(() => app.close());

test("the document says what it said, operation by operation", async () => {
  const document = await (await app.request("/openapi.json")).json();
  const { components, paths } = document as { components: object; paths: object };
  expect(linesOf(components, 2)).toMatchSnapshot("components");
  for (const [path, operations] of Object.entries(paths))
    expect(linesOf(operations, 3)).toMatchSnapshot(path);
});

/** Data as text, a line a member down to a depth. Examples are left out: other tests send them. */
function linesOf(value: unknown, depth: number, indent = ""): string {
  if (depth === 0 || typeof value !== "object" || value === null)
    return `${JSON.stringify(value, withoutExamples)}`;
  return Object.entries(value)
    .filter(([key]) => key !== "example" && key !== "examples")
    .map(([key, member]) => `\n${indent}${key}: ${linesOf(member, depth - 1, `${indent}  `)}`)
    .join("");
}

function withoutExamples(key: string, value: unknown): unknown {
  return key === "example" || key === "examples" ? undefined : value;
}
