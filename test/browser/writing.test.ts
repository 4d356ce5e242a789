import { afterEach, beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { makeImage } from "../support/files/images.ts";
import { until as poll } from "../support/machine/until.ts";
import { usePageSite } from "../support/pages/page-visits.ts";
import { fullRunTest } from "../support/run/full-run.ts";
import { run, startServer, temporaryFolder } from "../support/server/server.ts";

const PASSWORD = "correct horse battery";
const site = usePageSite({ BOOKMARKS_ACCESS: "private" });
let context: BrowserContext;

beforeAll(async () => {
  context = await site.window({ timezoneId: "Asia/Kolkata" }, true);
});

const pages: Page[] = [];
const complaints: string[] = [];

afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
  expect(complaints.splice(0)).toEqual([]);
});

async function open(path: string, within = context): Promise<Page> {
  const page = await within.newPage();
  pages.push(page);
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|ERR_INTERNET/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(path);
  return page;
}

/** Each look is a request or a call into the browser, and the editor waits two seconds: a look now and then will do. */
const until: typeof poll = (what, isSo, options) => poll(what, isSo, { every: 50, ...options });

/** Asks without a browser, as a stranger; a server that does not answer fails here, by name. */
const ask = (url: string) => fetch(url, { signal: AbortSignal.timeout(30_000) });

const openDetails = (page: Page) => page.getByRole("button", { name: "Details", exact: true }).click();
const newPath = () => `/write/${crypto.randomUUID()}`;
const stateOf = (page: Page) => page.locator("[data-state]");

/** What the server has of the working copy that a page edits. */
async function storedOf(page: Page): Promise<{ title: string; content: string } | undefined> {
  const key = new URL(page.url()).pathname.split("/")[2];
  const response = await page.request.get(`/api/edits/${key}/`);
  return response.ok() ? ((await response.json()) as { title: string; content: string }) : undefined;
}

test("a post is written, saved while one writes, previewed, and published with its picture", async () => {
  const page = await open("/write");
  await page.getByText("Write a post").click();
  await page.fill("#title", "From a phone");
  await page.fill("#content", "Hello *there*.");
  await until("it is saved", async () => /^Saved \d\d:\d\d$/.test((await stateOf(page).textContent()) ?? ""));
  expect(await storedOf(page)).toMatchObject({ title: "From a phone", content: "Hello *there*." });
  await page.setInputFiles("#picture", {
    name: "quinces.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from(await makeImage("jpeg", { width: 900 })),
  });
  await page.keyboard.press("Escape");
  await until("the image is in the text", async () =>
    /^Hello \*there\*\.\n\n!\[\]\(\/media\/[0-9a-f]{40}\.jpg\)\n\n$/.test(await page.inputValue("#content")),
  );
  await page.getByRole("button", { name: "Publish" }).click();
  await page.locator("[role=alert]:focus").waitFor();
  expect(await page.title()).toStartWith("Error:");
  await page.fill("#content", (await page.inputValue("#content")).replace("![]", "![Nine quinces]"));
  await page.fill("#tags", "fruit, slow food");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  expect(await page.locator(".prose em").textContent()).toBe("there");
  expect(`${site.server.url}${await page.getByText("Edit", { exact: true }).getAttribute("href")}`).toBe(
    page.url().replace("/preview", ""),
  );
  // The page before is the error's; the script reads the editor again instead.
  await page.goBack();
  await page.locator("autosave-form:not([data-answer])").waitFor();
  expect(await page.inputValue("#tags")).toBe("fruit, slow food");
  expect(await page.locator(".desk .notice").count()).toBe(0);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL("**/posts/from-a-phone");
  expect(await page.locator("img").getAttribute("alt")).toBe("Nine quinces");
  expect(await page.locator(".heads").textContent()).toContain("#slow-food");
  const feed = await (await ask(`${site.server.url}/feed.atom`)).text();
  expect(feed).toContain("From a phone");
});

test("the state beside the text tells changes that are not saved from those that are saved, and not published", async () => {
  const created = await context.request.post("/api/posts/", {
    data: { title: "In two states", content: "As it was.", published: true },
    headers: { origin: site.server.url },
  });
  const page = await open(`/write?post=${((await created.json()) as { id: number }).id}`);
  await page.locator(".tag-chips").waitFor();
  const states: Promise<string[]> = page.evaluate(`new Promise((resolve) => {
    const states = [document.querySelector("[data-state]").textContent];
    new MutationObserver(() => {
      states.push(document.querySelector("[data-state]").textContent);
      if (/^Saved/.test(states.at(-1))) resolve(states);
    }).observe(document.querySelector("[data-state]"), { childList: true, characterData: true, subtree: true });
  })`);
  await page.locator("#content").press("End");
  await page.keyboard.type(" And more.");
  expect((await states).map((state) => state.replace(/\d\d:\d\d/, "00:00"))).toEqual([
    "No changes",
    "Unsaved changes",
    "Saving…",
    "Saved 00:00, not published",
  ]);
  await page.reload();
  expect(await stateOf(page).textContent()).toMatch(/^Saved \d\d:\d\d, not published$/);
  await page.goto(newPath());
  await page.locator("#content").press("Control+s");
  await page.locator("#content").press("Control+s");
  expect(await stateOf(page).textContent()).toBe("Not saved yet");
});

fullRunTest("two tabs with one post tell of each other's draft, which Write names apart", async () => {
  const created = await context.request.post("/api/posts/", {
    data: { title: "Twice open", content: "As it was.", published: true },
    headers: { origin: site.server.url },
  });
  const path = `/write?post=${((await created.json()) as { id: number }).id}`;
  const [one, other] = [await open(path), await open(path)];
  const noticeOf = (page: Page) => page.locator("[data-other]");
  await one.fill("#content", "Of the one.");
  await until("it is saved", async () => (await storedOf(one))?.content === "Of the one.");
  expect(await noticeOf(one).isVisible()).toBe(false);
  await other.fill("#content", "Of the other.");
  await noticeOf(other)
    .getByText(/^There is another draft of this post, from \w{3}\s\d+,\s\d{4}, \d\d:\d\d\. Open it$/)
    .waitFor();
  await one.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await noticeOf(one).getByRole("link", { name: "Open it" }).click();
  await one.waitForURL(other.url().replace(/\?.*/, ""));
  expect(await one.inputValue("#content")).toBe("Of the other.");
  expect(await noticeOf(one).isVisible()).toBe(true);
  await one.goto("/write");
  const drafts = one.locator("#changes + div a").filter({ hasText: "Twice open" });
  expect(await drafts.allTextContents()).toEqual(["Twice open (draft 1 of 2)", "Twice open (draft 2 of 2)"]);
});

test("Control with B, I, K and S makes bold, italic and a link, and saves", async () => {
  const page = await open("/write");
  // The editor's own time to save never comes.
  await page.addInitScript(
    `const later = setTimeout;
    globalThis.setTimeout = (work, delay = 0) => (delay < 500 ? later(work, delay) : 0);`,
  );
  await page.goto(newPath());
  const text = page.locator("#content");
  const select = (start: number, end: number) =>
    page.evaluate(`document.forms[0].elements.content.setSelectionRange(${start}, ${end})`);
  const marked = "**one** _two_ [three](url)";
  // It may be saved by itself before the key is pressed.
  const saved = page.waitForResponse((response) => {
    const request = response.request();
    return request.method() === "PUT" && request.postDataJSON().content === marked;
  });
  await text.fill("one two three");
  for (const [key, start, end] of [
    ["k", 8, 13],
    ["i", 4, 7],
    ["b", 0, 3],
  ] as const) {
    await select(start, end);
    await text.press(`Control+${key}`);
  }
  expect(await text.inputValue()).toBe(marked);
  await page.locator("#tags").press("Control+s");
  expect((await saved).ok()).toBe(true);
  await page.locator("#title").press("Control+b");
  expect(await page.inputValue("#title")).toBe("");
});

fullRunTest(
  "the way back after publishing leads to the editor of the post, which is no draft again",
  async () => {
    const page = await open("/write");
    await page.goto(newPath());
    await page.fill("#title", "Published at once");
    await page.fill("#content", "No time to save it.");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL("**/posts/published-at-once");
    await page.goBack();
    await page.locator(".said b").filter({ hasText: "Published" }).waitFor();
    expect(await page.inputValue("#title")).toBe("Published at once");
    expect(await page.inputValue("#content")).toBe("No time to save it.");
    expect(await page.locator(".desk .notice").count()).toBe(0);
    expect(await storedOf(page)).toBeUndefined();
  },
);

fullRunTest("what is written before the editor's script has come is saved as well", async () => {
  const page = await open("/write");
  const { promise: written, resolve: isWritten } = Promise.withResolvers<void>();
  await page.route(/\/editor[^/]*\.js/, async (route) => {
    await written;
    await route.continue();
  });
  await page.goto(newPath(), { waitUntil: "commit" });
  await page.fill("#content", "Faster than the network.");
  isWritten();
  await until("it is saved", async () => (await storedOf(page))?.content === "Faster than the network.");
  await page.close();
});

fullRunTest("what the browser brings back of an earlier visit is offered, and replaces nothing", async () => {
  const path = newPath();
  const page = await open(path);
  await page.fill("#content", "Of the earlier visit.");
  await until("it is saved", async () => (await storedOf(page))?.content === "Of the earlier visit.");
  await page.goto("/write");
  const api = `/api/edits/${path.split("/")[2]}/`;
  const etag = (await page.request.get(api)).headers().etag ?? "";
  const newer = { post: null, base_version: null, title: "", content: "Of another device.", fields: {} };
  const put = await page.request.put(api, {
    data: newer,
    headers: { origin: site.server.url, "if-match": etag },
  });
  expect(put.status()).toBe(200);
  await page.goBack();
  await page.getByRole("button", { name: "Use it" }).waitFor();
  await page.getByText(/ a text from \w{3} \d+, \d{4}, \d\d:\d\d that was not saved\./).waitFor();
  expect(await page.inputValue("#content")).toBe("Of another device.");
  await page.getByRole("button", { name: "Use it" }).click();
  expect(await page.inputValue("#content")).toBe("Of the earlier visit.");
  await page.close();
});

fullRunTest("a page that the browser kept whole is read again when it comes back", async () => {
  const page = await open(newPath());
  await page.fill("#content", "Of the earlier visit.");
  await until("it is saved", async () => (await storedOf(page))?.content === "Of the earlier visit.");
  const api = `/api/edits/${new URL(page.url()).pathname.split("/")[2]}/`;
  const etag = (await page.request.get(api)).headers().etag ?? "";
  const newer = { post: null, base_version: null, title: "", content: "Of another device.", fields: {} };
  const put = await page.request.put(api, {
    data: newer,
    headers: { origin: site.server.url, "if-match": etag },
  });
  expect(put.status()).toBe(200);
  await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
  await until("it shows the newer text", async () => (await page.inputValue("#content")) === newer.content);
  expect(await page.locator(".desk .notice").count()).toBe(0);
  await page.close();
});

fullRunTest("a text that was refused is not taken for saved", async () => {
  const path = newPath();
  const page = await open(path);
  await page.fill("#content", "Not to be lost.");
  await page.evaluate(`document.querySelector("[name=base_version]").value = "none"`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("autosave-form[data-answer]").waitFor();
  await until("it is saved", async () => (await storedOf(page))?.content === "Not to be lost.");
  await page.close();
});

fullRunTest("a text that the server cannot take is kept, and goes on after a reload", async () => {
  const page = await open(newPath());
  await page.fill("#title", "Kept");
  // Below the text, as in a browser without popovers.
  await page.evaluate("document.querySelector('#details').removeAttribute('popover')");
  await page.fill("#summary", "No longer true.");
  await until("it is saved", async () => (await storedOf(page))?.title === "Kept");
  const before = minuteNow();
  await context.setOffline(true);
  await page.fill("#content", "Written without a network.");
  await page.fill("#summary", "");
  await until("it says so", async () => /^Offline/.test((await stateOf(page).textContent()) ?? ""));
  // In the site's time zone, as "Saved" is, and not in the browser's.
  const said = /kept in this browser at (\d\d):(\d\d)$/.exec((await stateOf(page).textContent()) ?? "");
  const minute = Number(said?.[1]) * 60 + Number(said?.[2]);
  // Any minute from then to now, also when a day ends meanwhile.
  expect((minute - before + 1440) % 1440).toBeWithin(0, ((minuteNow() - before + 1440) % 1440) + 1);
  // The network comes back, and the page goes before it has sent the text again.
  await page.route("**/api/edits/**", (route) => route.abort());
  await context.setOffline(false);
  await page.reload();
  await page.unroute("**/api/edits/**");
  await until("it goes on", async () => (await page.inputValue("#content")) === "Written without a network.");
  expect(await page.inputValue("#summary")).toBe("");
  await until("it is saved", async () => (await storedOf(page))?.content === "Written without a network.");
  expect(await page.locator(".desk .notice").count()).toBe(0);
});

fullRunTest("a kept text goes on however long the browser takes to find it", async () => {
  const page = await open(newPath());
  await page.fill("#title", "Found late");
  await until("it is saved", async () => (await storedOf(page))?.title === "Found late");
  await page.route("**/api/edits/**", (route) => route.abort());
  await page.fill("#content", "Kept alone.");
  await until("it is kept", async () =>
    / kept in this browser /.test((await stateOf(page).textContent()) ?? ""),
  );
  // The limit of time of the browser's store has passed before the store answers.
  await page.addInitScript(`{
    const later = setTimeout;
    setTimeout = (what, wait) => later(what, wait === 5_000 ? 0 : wait);
  }`);
  await page.reload();
  await page.unroute("**/api/edits/**");
  await until("it goes on", async () => (await page.inputValue("#content")) === "Kept alone.");
});

test("a text is sent when its page goes, before the pause is over", async () => {
  const page = await open(newPath());
  await page.fill("#title", "Left at once");
  const url = page.url();
  await page.goto("/write");
  await page.goto(url);
  await until("it is stored", async () => (await storedOf(page))?.title === "Left at once");
});

fullRunTest("a save whose response is lost is repeated without a conflict", async () => {
  const page = await open(newPath());
  let lost = 0;
  await page.route("**/api/edits/**", async (route) => {
    if (route.request().method() !== "PUT" || lost++ > 0) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await page.fill("#title", "Sent twice");
  await until("the first save is stored", async () => (await storedOf(page))?.title === "Sent twice");
  await page.fill("#content", "And more.");
  await until("the next is too", async () => (await storedOf(page))?.content === "And more.");
  expect(await stateOf(page).textContent()).toMatch(/^Saved/);
});

fullRunTest(
  "two windows of one text lose nothing: the second sees both, and the other stays whatever is chosen",
  async () => {
    const path = newPath();
    const one = await open(path);
    await one.fill("#title", "Shared");
    await one.fill("#content", "First line.\nSecond line.");
    await one.getByRole("button", { name: "Save" }).click();
    await one.getByText("Saved.", { exact: true }).waitFor();
    const other = await open(path);
    await one.fill("#content", "First line.\nSecond line of one.");
    await one.getByRole("button", { name: "Save" }).click();
    await one.getByText("Saved.", { exact: true }).waitFor();
    await other.fill("#content", "First line.\nSecond line of the other.");
    await until("it notices", async () =>
      /^Changed in another tab/.test((await stateOf(other).textContent()) ?? ""),
    );
    await other.getByRole("button", { name: "Compare" }).click();
    await other.locator("#theirs").waitFor();
    expect(await other.title()).toContain("Two versions");
    expect(await other.locator("tr.theirs").textContent()).toContain("Second line of one.");
    expect(await other.locator("tr.mine").textContent()).toContain("Second line of the other.");
    await other.getByRole("button", { name: "Use the saved version" }).click();
    expect(await other.inputValue("#content")).toBe("First line.\nSecond line of one.");
    await other.goto("/write");
    const drafts = other.locator("#drafts + div a").filter({ hasText: "Shared" });
    expect(await drafts.allTextContents()).toEqual(["Shared (draft 1 of 2)", "Shared (draft 2 of 2)"]);
    // Two windows again, and the text of this one is chosen: nothing is published, and the other text stays, too.
    await other.goto(path);
    await one.goto(path);
    await one.fill("#content", "Of one, again.");
    await one.getByRole("button", { name: "Save" }).click();
    await one.getByText("Saved.", { exact: true }).waitFor();
    await other.fill("#content", "Of the other, again.");
    await until("it notices", async () =>
      /^Changed in another tab/.test((await stateOf(other).textContent()) ?? ""),
    );
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByRole("button", { name: "Save my version" }).click();
    expect(await other.inputValue("#content")).toBe("Of the other, again.");
    await other.goto("/write");
    expect(await drafts.count()).toBe(3);
    expect(await drafts.first().getAttribute("href")).toBe(path);
  },
);

fullRunTest(
  "on a phone the bar is one line at the head of the window, and the marks one at its foot",
  async () => {
    const created = await context.request.post("/api/posts/", {
      data: { title: "On a phone", content: "A line.\n\n".repeat(40), published: true },
      headers: { origin: site.server.url },
    });
    const page = await open(`/write?post=${((await created.json()) as { id: number }).id}`);
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const bar = await page.locator(".desk-bar").boundingBox();
      expect([bar?.y, bar?.height]).toEqual([0, 57]);
      const tools = await page.locator(".tools").boundingBox();
      expect((tools?.y ?? 0) + (tools?.height ?? 0)).toBe(800);
      // One line as well, of which nothing is out of sight.
      expect(tools?.height).toBeLessThan(56);
      const beyond =
        "document.querySelector('.tools').scrollWidth - document.querySelector('.tools').clientWidth";
      expect(await page.evaluate<number>(beyond)).toBe(0);
    }
    await page.getByRole("button", { name: "Details" }).click();
    expect(await page.getByRole("link", { name: "View the post" }).isVisible()).toBe(true);
    const close = page.getByRole("button", { name: "Close" });
    expect((await close.boundingBox())?.y).toBeLessThan(800);
    await close.click();
    // With text twice as large, one bar stays in view: that at the head scrolls along.
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect((await page.locator(".tools").boundingBox())?.height).toBeLessThan(112);
    await page.evaluate("scrollTo(0, 1000)");
    expect((await page.locator(".desk-bar").boundingBox())?.y).toBeLessThan(-100);
  },
);

test("on a phone an error in the details shows its field above the text, and the others on request", async () => {
  const page = await open(newPath());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.fill("#title", "A wrong address");
  await page.getByRole("button", { name: "Details" }).click();
  await page.fill("#slug", "!!!");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.locator("#slug-error").waitFor();
  const shown = async () => [
    await page.locator("#slug").isVisible(),
    await page.locator("#summary").isVisible(),
  ];
  expect(await shown()).toEqual([true, false]);
  await page.getByRole("button", { name: "Details" }).click();
  expect(await shown()).toEqual([true, true]);
  await page.keyboard.press("Escape");
  await page.fill("#slug", "a-right-address");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL("**/posts/a-right-address");
});

fullRunTest("publishing over another person's change shows both texts first", async () => {
  const created = await context.request.post("/api/posts/", {
    data: { title: "Contested", content: "As it was.", published: true },
    headers: { origin: site.server.url },
  });
  const { id } = (await created.json()) as { id: number };
  const page = await open(`/write?post=${id}`);
  await page.fill("#content", "As I would have it.");
  const changed = await context.request.patch(`/api/posts/${id}/`, {
    data: { content: "As somebody else has it." },
    headers: { origin: site.server.url },
  });
  expect(changed.status()).toBe(200);
  await page.getByRole("button", { name: "Update" }).click();
  await page.getByRole("button", { name: "Publish my version" }).waitFor();
  expect(await page.title()).toContain("Two versions");
  await page.getByRole("button", { name: "Publish my version" }).click();
  await page.waitForURL("**/posts/contested");
  expect(await page.locator(".prose").textContent()).toContain("As I would have it.");
  const versions = await (await context.request.get(`/api/posts/${id}/versions/`)).json();
  expect((versions as { results: { content: string }[] }).results.map(({ content }) => content)).toEqual([
    "As somebody else has it.",
    "As it was.",
  ]);
});

/** Somebody whose browser runs no script, signed in. */
const withoutScript = () => site.window({ javaScriptEnabled: false }, true);

fullRunTest(
  "without script, a post is written with its picture, previewed, shared and published, and an earlier text restored",
  async () => {
    const plain = await withoutScript();
    const page = await open("/write", plain);
    await page.getByText("Write a post").click();
    await page.fill("#title", "Without script");
    // Nothing is shown that needs a script.
    expect(await page.getByRole("button", { name: "Bold" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Cite" }).count()).toBe(1);
    await page.setInputFiles("#picture", {
      name: "quince.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from(await makeImage("jpeg", { width: 911 })),
    });
    await openDetails(page);
    await page.getByRole("button", { name: "Add the picture" }).click();
    expect(await page.getByRole("status").first().textContent()).toContain("Write what it shows");
    expect(await page.inputValue("#content")).toMatch(/^!\[\]\(\/media\/[0-9a-f]{40}\.jpg\)\n$/);
    await page.fill("#tags", "slow food");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    expect(await page.locator(".heads").textContent()).toContain("#slow-food");
    await page.getByText("Edit", { exact: true }).click();
    await page.fill("#content", "One.");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.inputValue("#content")).toBe("One.");
    await openDetails(page);
    await page.getByRole("button", { name: "Share a preview link" }).click();
    const link = (await page.locator("code.once").textContent()) ?? "";
    const stranger = await ask(link);
    expect(stranger.status).toBe(200);
    expect(stranger.headers.get("cache-control")).toContain("no-store");
    expect(await stranger.text()).toContain("Without script");
    await page.getByRole("button", { name: "Publish" }).click();
    expect(new URL(page.url()).pathname).toBe("/posts/without-script");
    expect((await ask(link)).status).toBe(404);
    await page.getByText("Edit", { exact: true }).click();
    await page.fill("#content", "Two.");
    await page.getByRole("button", { name: "Update" }).click();
    await page.getByText("Edit", { exact: true }).click();
    await openDetails(page);
    await page.getByText("1 earlier version").click();
    expect(await page.locator("tr.theirs").textContent()).toContain("One.");
    expect(await page.getByText("What changed from this version to the current text").count()).toBe(1);
    await page.getByRole("button", { name: "Restore this version" }).click();
    await page.getByText("Version restored. Readers see it once you press Update.").waitFor();
    expect(await page.inputValue("#content")).toBe("One.");
    await plain.close();
  },
);

fullRunTest(
  "without script, a post is scheduled and unscheduled, refused with all its errors, and discarded after a question",
  async () => {
    const plain = await withoutScript();
    const page = await open(newPath(), plain);
    await page.fill("#title", "Later");
    const date = async (typed: string) => {
      await openDetails(page);
      await page.fill("#publish_at", typed);
    };
    await date("2099-01-01T09:30");
    await page.getByRole("button", { name: "Publish" }).click();
    expect(await page.locator("#scheduled + div").textContent()).toContain("Later");
    await page.getByRole("link", { name: "Later" }).click();
    expect(await page.locator(".said").textContent()).toContain(
      "Scheduled for Jan\u00a01,\u00a02099, 09:30 UTC No changes",
    );
    await page.getByRole("button", { name: "Update" }).click();
    expect(await page.locator("#scheduled + div").textContent()).toContain("Later");
    await page.goto(newPath());
    await openDetails(page);
    await page.fill("#slug", "!!!");
    await page.getByRole("button", { name: "Publish" }).click();
    expect(await page.title()).toStartWith("Error:");
    expect(await page.locator("#slug-error").count()).toBe(1);
    expect(
      await page
        .getByRole("alert")
        .getByRole("link", { name: /^Address: / })
        .count(),
    ).toBe(1);
    expect(await page.locator("#title-error").textContent()).toBe("A post needs a title.");
    expect(await page.inputValue("#slug")).toBe("!!!");
    await page.goto(newPath());
    await page.fill("#title", "Not wanted");
    await page.fill("#content", "One line.\n\nAnother.");
    await openDetails(page);
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.locator("h1").textContent()).toBe("Discard this draft?");
    await page.getByRole("button", { name: "Keep writing" }).click();
    expect(await page.inputValue("#content")).toBe("One line.\n\nAnother.");
    await openDetails(page);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Keep writing" }).waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByText("Discarded.").waitFor();
    expect(await page.getByText("Not wanted").count()).toBe(0);
    await page.getByRole("link", { name: "Later" }).click();
    await openDetails(page);
    await page.getByRole("button", { name: "Unschedule" }).click();
    expect(await page.locator(".said").textContent()).toStartWith("Draft");
    expect(await page.inputValue("#publish_at")).toBe("");
    await date("2099-01-01T09:30");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("link", { name: "Later" }).click();
    await openDetails(page);
    await page.getByRole("button", { name: "Publish now" }).click();
    expect(new URL(page.url()).pathname).toBe("/posts/later");
    expect(await page.locator(".dt-published").getAttribute("datetime")).not.toContain("2099");
    await plain.close();
  },
);

fullRunTest(
  "without script, a post is unpublished, published again under its address, and deleted",
  async () => {
    const plain = await withoutScript();
    await context.request.post("/api/posts/", {
      data: { title: "Back and forth", content: "Two.", published: true },
      headers: { origin: site.server.url },
    });
    const page = await open("/posts/back-and-forth", plain);
    await page.getByText("Edit", { exact: true }).click();
    await page.fill("#content", "Three.");
    await openDetails(page);
    await page.getByRole("button", { name: "Unpublish" }).click();
    await page.getByText("Unpublished. It is a draft again.", { exact: true }).waitFor();
    expect(await page.inputValue("#content")).toBe("Three.");
    expect((await ask(`${site.server.url}/posts/back-and-forth`)).status).toBe(404);
    await page.getByRole("button", { name: "Publish" }).click();
    expect(new URL(page.url()).pathname).toBe("/posts/back-and-forth");
    await page.getByText("Edit", { exact: true }).click();
    await openDetails(page);
    await page.getByRole("button", { name: "Unpublish" }).click();
    await openDetails(page);
    await page.getByRole("button", { name: "Remove the draft" }).click();
    expect(await page.locator("h1").textContent()).toBe("Remove this draft?");
    await page.getByRole("button", { name: "Keep writing" }).click();
    expect(await page.inputValue("#content")).toBe("Three.");
    await openDetails(page);
    await page.getByRole("button", { name: "Remove the draft" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("Draft removed.").waitFor();
    expect(await page.getByText("Back and forth").count()).toBe(0);
    await plain.close();
  },
);

fullRunTest(
  "without script, what is no image is refused, and a page is published at the top of the site",
  async () => {
    const plain = await withoutScript();
    const page = await open("/write/new", plain);
    await page.fill("#title", "No image");
    await openDetails(page);
    await page.getByRole("button", { name: "Add the picture" }).click();
    expect(await page.locator("#picture-error").textContent()).toBe("Choose an image.");
    const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Notes.") };
    await page.setInputFiles("#picture", notes);
    await openDetails(page);
    await page.getByRole("button", { name: "Add the picture" }).click();
    expect(await page.locator("#picture-error").textContent()).toBe("This is not a picture.");
    await page.fill("#title", "About this site");
    await openDetails(page);
    await page.getByText("More options").click();
    await page.selectOption("#kind", "page");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.getByText("This is a draft.").waitFor();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("button", { name: "Publish" }).click();
    expect(new URL(page.url()).pathname).toBe("/about-this-site");
    await page.goto("/write");
    expect(await page.locator("#pages + div").textContent()).toContain("About this site");
    await plain.close();
  },
);

fullRunTest("a text that was saved meanwhile by script is discarded after the question, too", async () => {
  const page = await open(newPath());
  const url = page.url();
  await page.fill("#title", "Typed a moment ago");
  await openDetails(page);
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Keep writing" }).click();
  expect(await page.inputValue("#title")).toBe("Typed a moment ago");
  await openDetails(page);
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Keep writing" }).waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.waitForURL("**/write");
  expect((await page.request.get(`/api/edits/${url.split("/").at(-1)}/`)).status()).toBe(404);
});

test("a private note becomes the text of a link post at a click, not by Enter in a field", async () => {
  const { id } = await (
    await context.request.post("/bookmarks/", {
      data: { title: "A mill", url: "https://mill.example/", description: "Ask Ada about it." },
      headers: { origin: site.server.url },
    })
  ).json();
  const page = await open(`/library/${id}/publish`);
  await page.fill("#title", "A mill path");
  await page.getByRole("button", { name: "Use it as the text" }).click();
  await page.locator("#content").filter({ hasText: "Ask Ada" }).waitFor();
  expect([await page.inputValue("#title"), await page.inputValue("#content")]).toEqual([
    "A mill path",
    "Ask Ada about it.",
  ]);
  await page.goto(`/library/${id}/publish`);
  await page.locator("#title").press("Enter");
  await page.waitForURL("**/posts/a-mill");
  expect(await page.getByText("Ask Ada").count()).toBe(0);
});

test("[[ searches the library and puts a link in by keys alone, and by a click", async () => {
  const keep = (title: string, url: string) =>
    context.request.post("/bookmarks/", { data: { title, url }, headers: { origin: site.server.url } });
  await keep("Quince [paste]", "https://kitchen.example/quince_(paste)");
  await keep("Quince trees", "https://garden.example/quince");
  await keep("A map", "https://maps.example/");
  const page = await open(newPath());
  const field = page.locator("#content");
  const list = page.getByRole("listbox");
  await field.pressSequentially("See [[quin");
  await page.getByRole("option", { name: "Quince [paste] kitchen.example" }).waitFor();
  expect(await list.getByRole("option").count()).toBe(2);
  expect(await page.getByText(/^2 links\./).getAttribute("role")).toBe("status");
  const active = () => page.locator("[role=option][aria-selected=true]");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await active().getAttribute("id"));
  while (!(await active().textContent())?.includes("paste")) await field.press("ArrowDown");
  await field.press("Enter");
  const first = "See [Quince \\[paste\\]](<https://kitchen.example/quince_(paste)>)";
  expect(await field.inputValue()).toBe(first);
  expect(await list.isVisible()).toBe(false);
  await field.press("Control+z");
  expect(await field.inputValue()).toBe("See [[quin");
  await field.fill("[[map]]");
  await field.press("ArrowLeft");
  await field.press("ArrowLeft");
  await field.press("Backspace");
  await page.getByRole("option", { name: "A map" }).click();
  expect(await field.inputValue()).toBe("[A map](https://maps.example/)");
  await until("it is saved", async () => (await storedOf(page))?.content.startsWith("[A map]") ?? false);
  await field.fill("");
  await field.pressSequentially("[[map");
  await list.getByRole("option").first().waitFor();
  await field.press("Escape");
  await field.pressSequentially("s");
  expect(await list.isVisible()).toBe(false);
  await field.press("Enter");
  expect(await field.inputValue()).toBe("[[maps\n");
});

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.fill("#username", "editor");
  await page.fill("#password", PASSWORD);
  await page.click("button[type=submit]");
  // Closed in the middle of the sign-in, it would sometimes leave the browser unable to open another.
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.close();
}

fullRunTest("a server that is killed while one writes loses nothing of the text", async () => {
  using folder = temporaryFolder();
  const own = { DATABASE_URL: `sqlite:${folder.file("killed.db")}` };
  await run(["account", "add", "editor"], { env: own, stdin: `${PASSWORD}\n` });
  let killed = await startServer(own);
  const env = { ...own, PORT: new URL(killed.url).port };
  const within = await site.window({ baseURL: killed.url });
  await signIn(within);
  const page = await open(newPath(), within);
  await page.fill("#title", "Killed");
  await until("it is saved", async () => /^Saved/.test((await stateOf(page).textContent()) ?? ""));
  // The server dies when it has stored the text, before its response arrives: the page has yet to learn the new version.
  let isDead: Promise<unknown> | undefined;
  await page.route("**/api/edits/**", async (route) => {
    if (isDead !== undefined) return route.fallback();
    isDead = route.fetch().then(() => killed.kill());
    await isDead;
    await route.abort();
  });
  await page.locator("#content").pressSequentially("Every word of this.");
  await until("the page says so", async () => /^Offline/.test((await stateOf(page).textContent()) ?? ""));
  await page.locator("#content").pressSequentially(" And what is typed while it is away.");
  killed = await startServer(env);
  await page.evaluate("dispatchEvent(new Event('online'))");
  const whole = "Every word of this. And what is typed while it is away.";
  await until("all of it is stored", async () => (await storedOf(page))?.content === whole);
  await until("the page says so", async () => /^Saved/.test((await stateOf(page).textContent()) ?? ""));
  await page.reload();
  expect(await page.inputValue("#content")).toBe(whole);
  expect(await page.locator(".desk .notice").count()).toBe(0);
  await within.close();
  await killed.kill();
});

/** The minute of the day in UTC. */
function minuteNow(): number {
  return Math.floor(Date.now() / 60_000) % 1440;
}
