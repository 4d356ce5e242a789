import { describe, expect, test } from "bun:test";
import { type CatalogueRow, type Kind, pairUp, type Table, tablesOf } from "./table.ts";

const KINDS: Readonly<Record<string, Kind>> = { bigint: "integer", text: "text" };

const column = (table: string, name: string, type = "text", key = 0): CatalogueRow => ({
  table,
  column: name,
  type,
  key,
});
const id = (table: string) => column(table, "id", "bigint", 1);

function tables(
  rows: readonly CatalogueRow[],
  foreignKeys = [] as { child: string; parent: string }[],
): Table[] {
  return tablesOf(rows, foreignKeys, KINDS);
}

describe("The tables of a move", () => {
  test("follow the tables that they refer to, and may refer to themselves", () => {
    const rows = ["comments", "likes", "posts", "accounts"].map(id);
    const foreignKeys = [
      { child: "comments", parent: "posts" },
      { child: "comments", parent: "comments" },
      { child: "likes", parent: "comments" },
      { child: "posts", parent: "accounts" },
    ];
    expect(tables(rows, foreignKeys).map(({ name }) => name)).toEqual([
      "accounts",
      "posts",
      "comments",
      "likes",
    ]);
  });

  test("have their key columns in the order of the key", () => {
    const rows = [
      column("keys", "path", "text", 2),
      column("keys", "body"),
      column("keys", "caller", "text", 1),
    ];
    expect(tables(rows)[0]?.key.map(({ name }) => name)).toEqual(["caller", "path"]);
  });

  test("are refused with an unsupported type, and without a key", () => {
    expect(() => tables([id("endpoints"), column("endpoints", "at", "point")])).toThrow(
      "Cannot move the column endpoints.at: unknown type point.",
    );
    expect(() => tables([column("lines", "text")])).toThrow(
      "Cannot move the table lines: it has no primary key.",
    );
  });

  test("are paired by name, like their columns", () => {
    const from = tables([id("posts"), column("posts", "title"), column("posts", "content")]);
    const to = tables([column("posts", "content"), id("posts"), column("posts", "title")]);
    const [pair] = pairUp(from, to);
    expect(pair?.to.columns.map(({ name }) => name)).toEqual(["id", "title", "content"]);
  });

  test("are refused when one database lacks a table or column of the other", () => {
    const posts = [id("posts"), column("posts", "title")];
    const more = [...posts, column("posts", "slug")];
    const others = [...posts, id("likes")];
    expect(() => pairUp(tables(more), tables(posts))).toThrow("the target has no column posts.slug");
    expect(() => pairUp(tables(posts), tables(more))).toThrow("the source has no column posts.slug");
    expect(() => pairUp(tables(others), tables(posts))).toThrow("the target has no table likes");
    expect(() => pairUp(tables(posts), tables(others))).toThrow("the source has no table likes");
  });
});
