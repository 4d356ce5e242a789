/** @jsxImportSource #jsx */
import { expect, test } from "bun:test";
import { type Children, renderToString } from "./jsx/preact.js";
import { CachedList, CachedParts, MarkupCache } from "./markup-cache.tsx";

const SIZE = { entries: 500, entryLength: 4_000 };

test("renders a cached item again only when one of its inputs has changed", () => {
  const cache = new MarkupCache(SIZE);
  let made = 0;
  const item = (name: string, text: string) =>
    cache.render(name, [text], () => {
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

test("renders a list of cached items as it would without the cache", () => {
  const cache = new MarkupCache(SIZE);
  const texts = ["a < b", "“…”", '"&'];
  const items = texts.map((text) => cache.render(text, [text], () => <li title={text}>{text}</li>));
  const plain = (
    <ol class="x">
      {texts.map((text) => (
        <li title={text}>{text}</li>
      ))}
    </ol>
  );
  expect(renderToString(<CachedList items={items} class="x" />)).toBe(renderToString(plain));
});

test("renders cached parts between others as it would without the cache", () => {
  const cache = new MarkupCache(SIZE);
  const texts = ["a < b", "“…”", '"&'];
  const parts = texts.map((text) => cache.render(text, [text], () => <p title={text}>{text}</p>));
  const plain = texts.map((text) => <p title={text}>{text}</p>);
  const between = (children: Children) => (
    <div>
      <i>1</i>
      {children}
      <i>2</i>
    </div>
  );
  expect(renderToString(between(<CachedParts parts={parts} />))).toBe(renderToString(between(plain)));
});

test("keeps a limited number of items, the most recently used, and no long ones", () => {
  const cache = new MarkupCache(SIZE);
  let made = 0;
  const item = (name: string, length = 1) =>
    cache.render(name, [length], () => {
      made++;
      return <li>{"x".repeat(length)}</li>;
    });
  for (const name of ["long", "long"]) item(name, 4_000);
  expect(made).toBe(2);
  // It shows little of its inputs, which would be cached with it.
  for (const _ of [1, 2]) cache.render("short", ["x".repeat(4_000)], () => <li>{++made}</li>);
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
