import { describe, expect, test } from "bun:test";
import { type Bound, flatten, fragment, joined, rowList } from "./fragment.ts";

function flat(text: TemplateStringsArray, ...values: Bound[]) {
  const { text: strings, values: bound } = flatten(text, values);
  return { text: strings.join("?"), values: bound, strings };
}

describe("A statement with fragments", () => {
  test("includes their text and values", () => {
    const where = fragment`where published = ${true}`;
    const order = fragment`order by ${fragment`created_at desc`}, id`;
    expect(flat`select * from posts ${where} ${order} limit ${20}`).toMatchObject({
      text: "select * from posts where published = ? order by created_at desc, id limit ?",
      values: [true, 20],
    });
  });

  test("is the same template each time, so it is prepared once", () => {
    const make = (n: number) => flat`select ${fragment`a + ${n}`} from t`.strings;
    expect(make(1)).toBe(make(2));
    expect(Object.keys(make(1))).not.toContain("raw");
    expect(make(1).raw).toEqual(["select a + ", " from t"]);
  });

  test("keeps lists of ids as bound values", () => {
    expect(flat`delete from t ${fragment`where id in ${[1, 2]}`}`).toMatchObject({ values: [[1, 2]] });
  });

  test("accepts row lists", () => {
    const rows = rowList([
      [1, "a"],
      [2, null],
    ]);
    expect(flat`insert into t (id, name) values ${rows} returning id`).toMatchObject({
      text: "insert into t (id, name) values (?, ?), (?, ?) returning id",
      values: [1, "a", 2, null],
    });
    expect(() => rowList([])).toThrow("rows of one length");
    expect(() => rowList([[1], [1, 2]])).toThrow("rows of one length");
  });

  test("accepts joined conditions", () => {
    const conditions = [fragment`a = ${1}`, fragment`b = ${2}`];
    expect(flat`select * from t where ${joined(conditions, fragment` and `)}`).toMatchObject({
      text: "select * from t where a = ? and b = ?",
      values: [1, 2],
    });
  });

  test("without fragments is returned unchanged", () => {
    const given = (text: TemplateStringsArray, ...values: Bound[]) => flatten(text, values).text === text;
    expect(given`select ${1}`).toBe(true);
  });
});
