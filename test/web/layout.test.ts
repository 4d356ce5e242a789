import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { usePageSite } from "../support/pages/page-visits.ts";
import { makeToken, withToken } from "../support/records/accounts.ts";
import { createPost } from "../support/records/blog.ts";
import { sendTo } from "../support/requests/send.ts";
import { isFullRun } from "../support/run/full-run.ts";

const WIDTHS = isFullRun ? [390, 840, 1000, 1280] : [390];
const UNBROKEN = "unbroken".repeat(20);
const URL_OF_ALL = "https://unbroken.example/";

/** In the browser: the heads that are more than a pixel off the first line beside them. */
const BASELINES = `(() => {
  const textIn = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode;
      if (data.trim() !== "" && parent.closest(".unseen") === null) return walker.currentNode;
    }
  };
  const baselineOf = (text) => {
    const probe = document.createElement("span");
    probe.style.display = "inline-block";
    text.before(probe);
    const { bottom } = probe.getBoundingClientRect();
    probe.remove();
    return bottom;
  };
  return [...document.querySelectorAll("main .row > .margin")].flatMap((head) => {
    const text = head.nextElementSibling && textIn(head.nextElementSibling);
    if (!text || text.parentElement.closest(".button, .seen") !== null) return [];
    const off = baselineOf(text) - baselineOf(textIn(head));
    return Math.abs(off) <= 1 ? [] : [head.textContent + ": " + off];
  });
})()`;

/** In the browser: notes of which a letter that can be seen is where the button for the whole note is. */
const UNDER_SUMMARIES = `[...document.querySelectorAll(".note:has(details:not([open]))")].flatMap((note) => {
  const button = note.querySelector("summary span").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(note.querySelector("p"));
  const isUnder = ({ left, right, top, bottom }) =>
    right > button.left + 1 && left < button.right - 1 && bottom > button.top + 4 && top < button.bottom - 4;
  return [...range.getClientRects()].some(isUnder) ? [note.textContent.slice(0, 40)] : [];
})`;

/** In the browser: what is above the notice, from point to point. */
const OVER_NOTICE = `(() => {
  scrollBy(0, 40);
  const notice = document.querySelector(".toast");
  const { left, right, top, bottom } = notice.getBoundingClientRect();
  const over = new Set();
  // Not its round corners.
  for (let y = Math.max(top, 0) + 4; y < bottom - 4; y += 2)
    for (let x = left + 4; x < right - 4; x += 2) {
      const element = document.elementFromPoint(x, y);
      if (!notice.contains(element)) over.add(element.outerHTML.slice(0, 60));
    }
  return bottom < 20 || bottom > innerHeight ? ["no notice"] : [...over];
})()`;

/** In the browser: each element of a text that follows another, with the room between them in parts of its letters. */
const GAPS = `[...document.querySelectorAll(".prose :is(p, li, dt, dd, h2, h3, h4, summary) + *")].map((element) => {
  const { previousElementSibling: before, parentElement: parent } = element;
  const gap = element.getBoundingClientRect().top - before.getBoundingClientRect().bottom;
  const size = parseFloat(getComputedStyle(element).fontSize);
  return [parent.localName, before.localName, element.localName, (gap / size).toFixed(1)].join(" ");
})`;
const GAPS_OF_PROSE = [
  "blockquote p p 1.1",
  "li p p 0.6",
  "ol li li 0.6",
  "div p p 1.1",
  "details summary p 0.0",
  "details p p 1.1",
  "dl dt dd 0.0",
  "dd p p 1.1",
  "dl dd dt 0.0",
  "dl dt dd 0.0",
  "div h2 h3 0.6",
  "div h3 p 0.6",
  "div p ul 1.1",
  "ul li li 0.0",
  "div p aside 2.4",
  "aside p p 1.1",
];

/** In the browser: the heights of elements. */
// biome-ignore lint/suspicious/noExplicitAny: DOM elements in the browser; the tests have no DOM types
const HEIGHTS = (elements: any[]): number[] =>
  elements.map((element) => Math.round(10 * element.getBoundingClientRect().height) / 10);

/** In the browser: the numbers of characters in the lines of each element, without the last line. */
// biome-ignore lint/suspicious/noExplicitAny: DOM elements in the browser; the tests have no DOM types
const LINE_LENGTHS = (elements: any[]): number[][] =>
  elements.map((element) => {
    const text = element.ownerDocument.createTreeWalker(element, 4).nextNode();
    const range = element.ownerDocument.createRange();
    const lines = new Map<number, number>();
    for (let at = 0; at < text.data.length; at++) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const { top } = range.getBoundingClientRect();
      lines.set(top, (lines.get(top) ?? 0) + 1);
    }
    return [...lines.values()].slice(0, -1);
  });

describe("The layout", () => {
  const site = usePageSite({ BOOKMARKS_ACCESS: "private", FETCH_PAGES: "off" });
  beforeAll(() =>
    site.database.write((sql) =>
      insertBookmark(
        sql,
        { title: UNBROKEN, url: URL_OF_ALL, description: `#${UNBROKEN}` },
        undefined,
        new Date(),
      ),
    ),
  );

  const open = async (path: string, width: number): Promise<Page> => {
    const context = await site.window({ viewport: { width, height: 844 }, reducedMotion: "reduce" }, true);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };

  test.each(WIDTHS)("shows the account whole at %d px", async (width) => {
    for (const path of ["/library", "/write"]) {
      const page = await open(path, width);
      const link = page.locator(".top > .aside a");
      // biome-ignore lint/suspicious/noExplicitAny: a DOM element in the browser; the tests have no DOM types
      const isCut = await link.evaluate((element: any) => element.scrollWidth > element.clientWidth);
      expect([path, await link.isVisible(), isCut]).toEqual([path, true, false]);
      expect((await link.boundingBox())?.width).toBeGreaterThan(20);
      await page.context().close();
    }
  });

  test.each(isFullRun ? [390, 1280] : [390])("breaks words without an end at %d px", async (width) => {
    for (const path of [`/library/new?url=${URL_OF_ALL}`, `/library?q=${UNBROKEN}`]) {
      const page = await open(path, width);
      const fits = await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
      expect([path, fits]).toEqual([path, true]);
      await page.context().close();
    }
  });

  test("shows a compact search in one line for each link, with dates and tags as high as a finger needs", async () => {
    for (const width of [1280, 390]) {
      const page = await open("/library?q=unbroken&view=compact", width);
      const rows = page.locator(".compact > li");
      const heights = await rows.evaluateAll(HEIGHTS);
      if (width > 832) {
        expect(heights.filter((height) => height > 30)).toEqual([]);
        // The line ends where the actions do, and before them once they are seen.
        const endOf = async (part: string) => {
          const { x, width } = (await rows.first().locator(part).boundingBox()) ?? { x: 0, width: 0 };
          return Math.round(x + width);
        };
        expect(await endOf(".heads")).toBe(await endOf(".more"));
        await rows.first().hover();
        expect(await endOf(".heads")).toBeLessThan(await endOf(".deeds"));
      }
      const targets = page.locator(":is(.compact h3, .heads) a");
      expect([width, (await targets.evaluateAll(HEIGHTS)).filter((height) => height < 24)]).toEqual([
        width,
        [],
      ]);
      await page.context().close();
    }
  });

  test("gives dates that lead somewhere the height that a finger needs", async () => {
    const send = withToken(sendTo(site.server.url), await makeToken(site.database, site.account));
    const { id } = await createPost(send, { title: "Dated", content: "Text." });
    await send(`/api/posts/${id}/comments/`, { method: "POST", json: { text: "Yes." } });
    for (const width of [390, 1280])
      for (const path of ["/library", "/library?q=unbroken", "/posts/dated", "/", "/today"]) {
        const page = await open(path, width);
        const heights = await page.locator("main a:has(time), main time a").evaluateAll(HEIGHTS);
        const small = heights.filter((height) => height > 0 && height < 24);
        expect([path, width, heights.length > 0, ...small]).toEqual([path, width, true]);
        await page.context().close();
      }
  });

  test("keeps an open sheet above the page when a phone is turned", async () => {
    for (const [path, button, sheet] of [
      ["/library", "button.more", ".deeds"],
      [`/write/${crypto.randomUUID()}`, ".to-details", "#details"],
    ] as const) {
      const page = await open(path, 390);
      await page.locator(button).first().click();
      await page.setViewportSize({ width: 844, height: 390 });
      const opened = page.locator(`${sheet}:popover-open`);
      const style = await opened.evaluate((element) => {
        // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
        const { position, backgroundColor } = (globalThis as any).getComputedStyle(element);
        return [position, backgroundColor === "rgba(0, 0, 0, 0)" ? "clear" : "opaque"];
      });
      expect([sheet, style]).toEqual([sheet, ["fixed", "opaque"]]);
      await page.context().close();
    }
  });

  test("ends a note with a word before the button that shows all of it, and keeps a notice over the list", async () => {
    await site.database.write(async (sql) => {
      for (let n = 0; n < 30; n++)
        await insertBookmark(
          sql,
          {
            title: `Long ${n}`,
            url: `https://long.example/${n}`,
            description: `${"x".repeat(n)} and words `.repeat(30),
          },
          undefined,
          new Date(),
        );
    });
    for (const width of WIDTHS) {
      const page = await open("/library", width);
      // Parts of the text that are under the button; letters of a word without an end may be.
      expect([width, await page.evaluate(UNDER_SUMMARIES)]).toEqual([width, []]);
      const id = await page.locator(".bookmarks > li").nth(15).getAttribute("id");
      const { origin } = new URL(page.url());
      await page.context().addCookies([{ name: "commonplace_notice", value: "link-saved", url: origin }]);
      await page.goto(`/library?view=#${id}`);
      expect([width, await page.evaluate(OVER_NOTICE)]).toEqual([width, []]);
      await page.context().close();
    }
  });

  test("prints the addresses of links instead of their hosts", async () => {
    const page = await open("/library", 700);
    await page.emulateMedia({ media: "print" });
    const link = page.locator(`.bookmarks h3 a[href="${URL_OF_ALL}"]`);
    const content = await link.evaluate((element) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
      return (globalThis as any).getComputedStyle(element, "::after").content;
    });
    expect(content).toContain(URL_OF_ALL);
    for (const hidden of [".bookmarks .host", ".controls button"])
      expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
    await page.context().close();
  });

  /** Publishes a post. @returns its path */
  const publish = async (content: string): Promise<string> => {
    const owner = withToken(sendTo(site.server.url), await makeToken(site.database, site.account));
    const { id } = await createPost(owner, { title: "Laid out", content });
    return `/posts/${id}`;
  };

  test("puts the heads in the margin on the first line of what they name", async () => {
    const paths = [
      await publish("Words."),
      "/",
      "/settings",
      "/settings/look",
      "/account",
      "/keys",
      "/library/bookmarklet",
      "/library/export",
      "/library/feeds",
    ];
    for (const path of paths) {
      const page = await open(path, 1280);
      expect([path, await page.evaluate(BASELINES)]).toEqual([path, []]);
      await page.context().close();
    }
  });

  test("sets apart what stands in quotations, points, boxes and below headings", async () => {
    const two = "<p>One.</p><p>Two.</p>";
    const page = await open(
      await publish(
        `> One.\n>\n> Two.\n\n1. One.\n\n   Two.\n2. Three.\n\n<div>${two}</div>\n\n<details open><summary>One</summary>${two}</details>\n\n` +
          `<dl><dt>A</dt><dd>${two}</dd><dt>B</dt><dd>Three.</dd></dl>\n\n## A\n\n### B\n\nTwo.\n\n- one\n- two\n\nLast.\n\n<aside class="notes">${two}</aside>`,
      ),
      1280,
    );
    expect(await page.evaluate(GAPS)).toEqual(GAPS_OF_PROSE);
    await page.context().close();
  });

  test("prints the address of a link once", async () => {
    const page = await open(
      await publish("<https://bare.example/a?b&c> and [words](https://words.example/)"),
      700,
    );
    await page.emulateMedia({ media: "print" });
    const after = await page.locator(".prose a").evaluateAll((links) =>
      // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
      links.map((link) => (globalThis as any).getComputedStyle(link, "::after").content),
    );
    expect(after.map((content) => content.includes("example"))).toEqual([false, true]);
    await page.context().close();
  });

  test("puts notes into the margin, below their paragraph where there is none, and on paper at the foot", async () => {
    const path = await publish("The river came up.[^1]\n\nThe end.\n\n[^1]: It was the fourth.");
    const page = await open(path, 1280);
    const boxes = async () => {
      const [text, end, note] = await Promise.all(
        [".prose p >> nth=0", ".prose p >> text=The end.", ".prose li"].map((one) =>
          page.locator(one).boundingBox(),
        ),
      );
      if (!text || !end || !note) throw new Error("there is no note");
      return { text, end, note };
    };
    const { text, note } = await boxes();
    expect(note.x + note.width).toBeLessThan(text.x);
    expect(Math.abs(note.y - text.y)).toBeLessThan(12);
    for (const width of [1000, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const { text, end, note } = await boxes();
      expect(note.y).toBeGreaterThanOrEqual(text.y + text.height);
      expect(end.y).toBeGreaterThan(note.y);
    }
    await page.emulateMedia({ media: "print" });
    const printed = await boxes();
    expect(printed.note.y).toBeGreaterThan(printed.end.y);
    await page.context().close();
  });

  test("gives each paragraph of a post its direction, and code its own", async () => {
    const hebrew = "ספר המקומות";
    const paragraphs = `Words.\n\n${hebrew}\n\n- ${hebrew}\n\n\`\`\`\ncode();\n\`\`\``;
    /** Where the text of each paragraph begins: at the left or the right of its box. */
    const sides = async (content: string) => {
      const page = await open(await publish(content), 390);
      const found = await page.locator(".prose :is(p, li, pre)").evaluateAll((all) =>
        // biome-ignore lint/suspicious/noExplicitAny: DOM elements in the browser; the tests have no DOM types
        all.map((element: any) => {
          // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
          const range = (globalThis as any).document.createRange();
          range.selectNodeContents(element);
          const [box, text] = [element.getBoundingClientRect(), range.getBoundingClientRect()];
          return text.left - box.left > 20 ? "right" : "left";
        }),
      );
      await page.context().close();
      return found;
    };
    expect(await sides(paragraphs)).toEqual(["left", "right", "right", "left"]);
    // In a post from right to left, a paragraph that begins with a Latin word stays at the right.
    expect(await sides(`${hebrew}\n\nWords ${hebrew}\n\n\`\`\`\ncode();\n\`\`\``)).toEqual([
      "right",
      "right",
      "left",
    ]);
  });

  test("prints a post with 60 to 70 characters a line, on A4 and on US Letter", async () => {
    const send = withToken(sendTo(site.server.url), await makeToken(site.database, site.account));
    const content =
      "The path along the river was laid out by people who walked it every day of the year. ".repeat(9);
    await createPost(send, { title: "On paper", content: `${content}\n\n> ${content}\n\n- ${content}` });
    for (const width of [718, 740]) {
      const page = await open("/posts/on-paper", width);
      await page.emulateMedia({ media: "print" });
      const lengths: number[][] = await page.locator(".prose :is(p, li)").evaluateAll(LINE_LENGTHS);
      for (const [index, lines] of lengths.entries()) {
        const mean = lines.reduce((sum, length) => sum + length, 0) / lines.length;
        // A quotation and a list are indented.
        expect([width, index, mean >= (index === 0 ? 60 : 55), mean <= 70]).toEqual([
          width,
          index,
          true,
          true,
        ]);
      }
      await page.context().close();
    }
  });

  test("prints a draft as it is written, without the editor", async () => {
    const page = await open(`/write/${crypto.randomUUID()}`, 700);
    await page.fill("#title", "On paper");
    await page.fill("#content", "Words to correct with a pencil.");
    await page.emulateMedia({ media: "print" });
    for (const shown of ["#title", "#content"])
      expect([shown, await page.locator(shown).isVisible()]).toEqual([shown, true]);
    for (const hidden of [".tools", ".desk-bar", "#details"])
      expect([hidden, await page.locator(hidden).isVisible()]).toEqual([hidden, false]);
    await page.context().close();
  });

  test("after a refused change of the selection, a phone shows the list, and the error leads to its field", async () => {
    const page = await open("/library?select=1", 390);
    await page.getByRole("checkbox", { name: UNBROKEN }).check();
    await page.getByRole("button", { name: "Change…" }).click();
    await page.getByRole("button", { name: "Add tags" }).click();
    await page.getByRole("alert").waitFor();
    const bar = page.locator(".selection");
    // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
    const styleOf = (element: any) => (globalThis as any).getComputedStyle(element).position;
    expect(await bar.evaluate(styleOf)).toBe("static");
    await page.getByRole("link", { name: "Tags: Enter at least one tag." }).click();
    await page.keyboard.type("seen");
    expect(await page.locator("#tags").inputValue()).toBe("seen");
    await page.setViewportSize({ width: 1280, height: 844 });
    expect(await bar.evaluate(styleOf)).toBe("sticky");
    await page.context().close();
  });

  test("radio buttons and boxes stand alike beside their texts", async () => {
    /** From each box to its text, and from the middle of the box to that of the text's first line. */
    const distances = async (path: string) => {
      const page = await open(path, 1280);
      const found = await page.locator("main label > :is([type=radio], [type=checkbox])").evaluateAll((all) =>
        // biome-ignore lint/suspicious/noExplicitAny: DOM elements in the browser; the tests have no DOM types
        all.map((input: any) => {
          // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
          const { document } = globalThis as any;
          const texts = document.createTreeWalker(input.parentElement, 4);
          while (!texts.nextNode().data.trim());
          const range = document.createRange();
          range.selectNode(texts.currentNode);
          const [box, line] = [input.getBoundingClientRect(), range.getClientRects()[0]];
          const middle = (box.top + box.bottom - line.top - line.bottom) / 2;
          return `${Math.round(line.left - box.right)} ${Math.abs(middle) <= 0.75 ? "level" : middle}`;
        }),
      );
      await page.context().close();
      return found;
    };
    for (const path of ["/settings", "/keys", "/account", "/library/new"])
      expect([path, [...new Set(await distances(path))]]).toEqual([path, ["8 level"]]);
  });
});
