import { beforeAll, expect, test } from "bun:test";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import {
  type DocumentedOperation,
  operationsIn,
  type Parameter,
  readOpenApi,
} from "../../support/requests/openapi.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import { describeHttp } from "../../support/server/contract.ts";

describeHttp("Parameters", (service) => {
  let program: Send;
  let operations: readonly DocumentedOperation[];
  let values: Readonly<Record<string, string | number>>;

  beforeAll(async () => {
    const { database, request } = await service.startApp();
    program = withToken(request, await makeToken(database, await makeAccount(database, "ada")));
    operations = operationsIn(await readOpenApi(request));
    const made = async (path: string, json: object) =>
      ((await (await program(path, { method: "POST", json })).json()) as { id: number }).id;
    const bookmark = await made("/bookmarks/", {
      title: "A",
      url: "https://example.com/",
      description: "#old",
    });
    const post = await made("/api/posts/", { title: "A", content: "", published: true });
    const draft = await made("/api/drafts/", { title: "A", content: "" });
    values = { q: "old", name: "old", bookmark, post, draft };
  });

  const pathOf = ({ path }: DocumentedOperation) =>
    path.replace(
      "{id}",
      String(values[/^\/bookmarks/.test(path) ? "bookmark" : /drafts/.test(path) ? "draft" : "post"]),
    );
  const parametersOf = ({ operation }: DocumentedOperation) =>
    (operation.parameters ?? []).filter((one): one is Parameter => "in" in one && one.in === "query");
  /** Every read with one of these parameters. */
  const readsWith = (...names: readonly string[]) =>
    operations.filter(
      (one) => one.method === "GET" && parametersOf(one).some(({ name }) => names.includes(name)),
    );
  const required = (one: DocumentedOperation) =>
    parametersOf(one)
      .filter((parameter) => parameter.required)
      .map(({ name }): [string, string] => [name, String(values[name] ?? "x")]);

  test("by which clients of other servers go on in a list are refused, with what to use instead", async () => {
    const lists = readsWith("page", "cursor", "limit");
    expect(lists.length).toBeGreaterThan(10);
    for (const list of lists) {
      const names = new Set(parametersOf(list).map(({ name }) => name));
      for (const name of ["offset", "skip", "page"]) {
        if (names.has(name)) continue;
        const ask = (value: string) =>
          program(`${pathOf(list)}?${new URLSearchParams([...required(list), [name, value]])}`);
        const { errors = [] } = await expectProblem(await ask("2"), 422);
        expect([list.path, errors]).toEqual([
          list.path,
          [expect.objectContaining({ parameter: name, code: "unknown_value" })],
        ]);
        expect(errors[0]?.detail).toMatch(
          names.has("page") ? /page=2/ : names.has("cursor") ? /Link/ : /limit/,
        );
        expect([list.path, name, (await ask("")).status]).toEqual([list.path, name, 200]);
      }
    }
  });

  test("that are lists have commas, are repeated, or have brackets", async () => {
    const lists = operations.flatMap((one) =>
      parametersOf(one)
        .filter(({ schema }) => schema.type === "array")
        .map((parameter) => ({ one, parameter })),
    );
    expect(lists.length).toBeGreaterThan(5);
    for (const { one, parameter } of lists) {
      if (one.method !== "GET") continue;
      const { name, schema } = parameter;
      const [first = "", second = first] = ((schema.items as { enum?: string[] }).enum ?? []).slice(0, 2);
      const get = async (query: string) => (await program(`${pathOf(one)}?${query}`)).text();
      const expected = await get(`${name}=${first},${second}`);
      expect([one.path, expected.startsWith('{"type"')]).toEqual([one.path, false]);
      for (const query of [
        `${name}=${first}&${name}=${second}`,
        `${name}[]=${first}&${name}[]=${second}`,
        `${name}%5B%5D=${first}%2C${second}`,
        `${name}=${first}&${name}=&${name}[]=${second}`,
      ])
        expect([one.path, query, await get(query)]).toEqual([one.path, query, expected]);
      const { errors = [] } = await expectProblem(await program(`${pathOf(one)}?${name}[]=nonsense`), 422);
      expect(errors).toMatchObject([{ parameter: name, code: "unknown_value" }]);
    }
  });

  test("that have one value are refused when they are repeated", async () => {
    const { errors = [] } = await expectProblem(
      await program("/bookmarks/?limit=1&limit=2&sort[]=title"),
      422,
    );
    expect(errors).toMatchObject([{ parameter: "limit", code: "repeated" }]);
  });

  test("an empty dry_run changes nothing", async () => {
    const changes = operations.filter((one) => parametersOf(one).some(({ name }) => name === "dry_run"));
    expect(changes.length).toBeGreaterThan(3);
    for (const change of changes)
      for (const query of ["dry_run=", "dry_run", "dry_run=&dry_run=true", "dry_run=yes"]) {
        const search = new URLSearchParams(required(change));
        const response = await program(`${pathOf(change)}?${search}&${query}`, {
          method: change.method,
          json: {},
        });
        const { errors = [] } = await expectProblem(response, 422);
        expect([change.path, query, errors.map(({ parameter }) => parameter)]).toEqual([
          change.path,
          query,
          expect.arrayContaining(["dry_run"]),
        ]);
      }
    expect(await (await program("/bookmarks/")).json()).toMatchObject([{ description: "#old" }]);
  });
});
