import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { en } from "../../src/web/messages/en.ts";
import { saveSite } from "../../src/web/site/site-store.ts";
import { usePageSite, watch } from "../support/pages/page-visits.ts";
import { makeCopy } from "../support/records/copies.ts";
import { casesOf, fullRunTest } from "../support/run/full-run.ts";

const SAVED = `<!doctype html><title>Saved</title><article><p>${"A page that was saved. ".repeat(60)}</article>`;
const labels = en.copies;

describe("Copies in the library", () => {
  const site = usePageSite();
  const save = async (url: string) => {
    const fields = { title: `A link to ${url}`, url, description: "" };
    return (await site.database.write((sql) => insertBookmark(sql, fields, undefined, new Date()))).id;
  };
  const open = (javaScriptEnabled = true): Promise<Page> => site.page({ javaScriptEnabled }, true);

  test.each(
    casesOf(
      [
        ["with scripts", true],
        ["without", false],
      ] as const,
      0,
    ),
  )("a saved page is sent, and its copy deleted, %s", async (_, scripts) => {
    const id = await save("https://a.example/");
    const page = await open(scripts);
    const faults = watch(page, site.server.url);
    await page.goto(`/library/${id}`);
    await page.getByText(labels.send.title).click();
    const file = { name: "saved.html", mimeType: "text/html", buffer: Buffer.from(SAVED) };
    await page.getByLabel(labels.send.file).setInputFiles(file);
    await page.getByRole("button", { name: labels.send.submit, exact: true }).click();
    await page.getByText(en.notices["copy-kept"]).waitFor();
    await page.getByText("sent by your browser · 300 words, 1 minute").waitFor();

    // Its original is shown where nothing of it runs.
    await page.getByRole("link", { name: labels.original }).click();
    await page.getByText("A page that was saved.").first().waitFor();
    await page.goBack();

    const confirm = page.getByRole("button", { name: labels.confirm });
    expect(await confirm.isVisible()).toBe(false);
    await page.getByText(labels.remove, { exact: false }).first().click();
    await confirm.click();
    await page.getByText(en.notices["copy-deleted"]).waitFor();
    await page.getByText(labels.none).waitFor();
    expect(faults).toEqual([]);
  });

  test.each(
    casesOf(
      [
        ["with scripts, by itself", true],
        ["without, when one looks again", false],
      ] as const,
      1,
    ),
  )("a page that cannot be fetched says why, and the way out leads to the form, %s", async (_, scripts) => {
    // Refused before anything is asked.
    const id = await save("http://127.0.0.1:9/");
    const page = await open(scripts);
    const faults = watch(page, site.server.url);
    await page.goto(`/library/${id}`);
    await page.getByRole("button", { name: labels.keep }).click();
    const reason = page.getByText(labels.failures["not-public"]);
    if (!scripts)
      while (!(await reason.isVisible()))
        await page.getByRole("link", { name: labels.lookAgain }).or(reason).first().click();
    await reason.waitFor();
    await page.getByRole("link", { name: labels.ways.send }).click();
    expect(page.url()).toEndWith("#file");
    expect(await page.getByLabel(labels.send.file).isVisible()).toBe(true);
    expect(faults).toEqual([]);
  });

  describe("in a list", () => {
    let id: number;
    beforeAll(async () => {
      id = await save("https://b.example/");
      await makeCopy(site.database, id, "word ".repeat(700).trim());
    });

    const select = async (page: Page) => {
      await page.goto(`/library?q=site:b.example`);
      await page.keyboard.press("j");
      await page.locator(`#link-${id}.here`).waitFor();
    };

    test("r opens the copy of the current link", async () => {
      const page = await open();
      await select(page);
      await page.keyboard.press("r");
      await page.waitForURL(`**/library/${id}/read`);
    });

    fullRunTest("where the title opens the copy, o opens the page", async () => {
      await site.database.write((sql) => saveSite(sql, { titleOpensCopy: true }, new Date()));
      const page = await open();
      await page.route("https://b.example/", (route) => route.fulfill({ body: "The page" }));
      await select(page);
      await page.keyboard.press("o");
      await page.waitForURL("https://b.example/");
      await page.goBack();
      await page.getByRole("link", { name: "A link to https://b.example/" }).click();
      await page.waitForURL(`**/library/${id}/read`);
    });
  });
});
