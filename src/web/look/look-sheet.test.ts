import { expect, test } from "bun:test";
import { contrast } from "../../../test/support/pages/contrast.ts";
import commonCss from "../public/common.css" with { type: "text" };
import { DEFAULT_SITE, type Look } from "../site/site-settings.ts";
import { ACCENTS, LOOK_THEMES } from "./look.ts";
import { cssOf, findLookSheet, lookSheetUrl } from "./look-sheet.ts";
import { THEME_COLORS } from "./themes.ts";

/** The custom properties of a page with a look, in one of the two color schemes. */
function colorsOf(look: Look, scheme: "light" | "dark"): Record<string, string> {
  const all = [...`${commonCss}\n${cssOf(look)}`.matchAll(/--(\w+):\s*light-dark\((#\w+),\s*(#\w+)\)/g)];
  return Object.fromEntries(
    all.map(([, name = "", light = "", dark = ""]) => [name, scheme === "light" ? light : dark]),
  );
}

for (const lookTheme of LOOK_THEMES)
  for (const accent of ACCENTS)
    for (const scheme of ["light", "dark"] as const)
      test(`${lookTheme} with ${accent} links can be read on ${scheme} paper`, () => {
        const colors = colorsOf({ ...DEFAULT_SITE, lookTheme, accent }, scheme);
        const low: string[] = [];
        const check = (front: string, back: string, least: number) => {
          const ratio = contrast(colors[front], colors[back]);
          if (!(ratio >= least)) low.push(`${front} on ${back}: ${ratio.toFixed(2)}`);
        };
        for (const front of ["link", "ink", "body", "soft", "alarm"])
          for (const back of ["paper", "raised", "code", "tint"]) check(front, back, 4.5);
        check("ink", "mark", 4.5);
        check("edge", "paper", 3);
        expect(low).toEqual([]);
      });

test("A theme sets the colors of the style sheet, and no others", () => {
  const ofSheet = Object.keys(colorsOf(DEFAULT_SITE, "light"));
  expect([...THEME_COLORS, "link"].toSorted()).toEqual(ofSheet.toSorted() as never);
});

test("The default look has no style sheet, so that its pages stay as they are", () => {
  expect(cssOf(DEFAULT_SITE)).toBe("");
  expect(lookSheetUrl(DEFAULT_SITE)).toBeUndefined();
});

test("Words that another version stored count as the default ones", () => {
  const unknown = { lookTheme: "constructor", accent: "__proto__", textFace: "x", frontPage: "toString" };
  expect(cssOf(unknown as never)).toBe("");
  expect(lookSheetUrl({ ...unknown, accent: "green" } as never)).toEndWith(
    "/look-leaf-green-serif-summaries.css" as never,
  );
});

test("A style sheet is found by its name only", () => {
  expect(findLookSheet("look-ink-red-sans-whole.css", "")).toMatchObject({ isExact: false });
  expect(findLookSheet("look-ink-red-sans-whole.css.css", "")).toBeUndefined();
  expect(findLookSheet("look-ink-mauve-sans-whole.css", "")).toBeUndefined();
});
