import { expect, test } from "bun:test";
import { ICONS } from "./icon.tsx";
import sprite from "./public/icons.svg" with { type: "text" };

test("the sprite has the symbol of each icon, and no other", () => {
  expect([...sprite.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([...ICONS]);
});
