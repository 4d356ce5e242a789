/** @jsxImportSource #jsx */
import { expect, test } from "bun:test";
import { renderToString } from "./jsx/preact.js";
import { KeptList, KeptMarkup } from "./kept-markup.tsx";

test("a kept item is rendered again only when something that it is made of has changed", () => {
  const kept = new KeptMarkup();
  let made = 0;
  const item = (name: string, text: string) =>
    kept.render(name, [text], () => {
      made++;
      return <li>{text}</li>;
    });
  expect([item("1", "a < b"), item("1", "a < b"), item("2", "a < b")]).toEqual(
    Array(3).fill("<li>a &lt; b</li>"),
  );
  expect(made).toBe(2);
  expect(item("1", "c")).toBe(item("1", "c"));
  expect(item("1", "c")).toBe("<li>c</li>" as never);
  expect(made).toBe(3);
});

test("a list of kept items is what it would be without", () => {
  const kept = new KeptMarkup();
  const texts = ["a < b", "“…”", '"&'];
  const items = texts.map((text) => kept.render(text, [text], () => <li title={text}>{text}</li>));
  const plain = (
    <ol class="x">
      {texts.map((text) => (
        <li title={text}>{text}</li>
      ))}
    </ol>
  );
  expect(renderToString(<KeptList items={items} class="x" />)).toBe(renderToString(plain));
});

test("only so many items are kept, those used last, and no long ones", () => {
  const kept = new KeptMarkup();
  let made = 0;
  const item = (name: string, length = 1) =>
    kept.render(name, [length], () => {
      made++;
      return <li>{"x".repeat(length)}</li>;
    });
  for (const name of ["long", "long"]) item(name, 4_000);
  expect(made).toBe(2);
  // It shows little of what it is made of, and that would be kept with it.
  for (const _ of [1, 2]) kept.render("short", ["x".repeat(4_000)], () => <li>{++made}</li>);
  expect(made).toBe(4);
  for (let index = 0; index < 500; index++) item(String(index));
  item("0");
  item("new");
  const before = made;
  item("0");
  expect(made).toBe(before);
  item("1");
  expect(made).toBe(before + 1);
});
