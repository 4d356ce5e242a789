import { expect, test } from "bun:test";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const DAY = 24 * 60 * 60 * 1_000;
const PATH = "/library/later";

describeApp("Next to read", (service) => {
  const start = async () => {
    const clock = new StoppedClock();
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "open" }, clock);
    let saved = 0;
    /** Saves a link to read, some days ago. */
    const save = async (title: string, daysAgo: number, { host = `${++saved}.example`, tags = "" } = {}) => {
      const link = { title, url: `https://${host}/${++saved}`, description: tags };
      const date = new Date(clock.now().getTime() - daysAgo * DAY);
      const { id } = await database.write((sql) => insertBookmark(sql, link, undefined, date));
      await changeStates(database, [id], { unread: true }, clock.now());
      return id;
    };
    const page = async (path = PATH) => (await request(path)).text();
    /** Presses a button of the page. @returns the next page, after a redirect */
    const act = async (name: string, of = "") => {
      const response = await submit(request, PATH, { act: name, of });
      expect(response.status).toBe(303);
      const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      return (await request(response.headers.get("location") ?? "", { headers: { cookie } })).text();
    };
    const read = async (title: string, more: object) => {
      const id = await save(title, 3, more);
      clock.move(1_000);
      await changeStates(database, [id], { unread: false }, clock.now());
    };
    return { clock, request, database, save, read, page, act };
  };
  const titles = (html: string) =>
    [...html.matchAll(/<h3><a [^>]*>([^<]*)<\/a>/g)].map(([, title = ""]) => title);

  test("is the newest, one that resembles what was read lately, and the oldest", async () => {
    const { save, read, page } = await start();
    expect(await page()).toContain("Nothing to read.");
    for (const [title, days] of [
      ["Newest", 1],
      ["Second", 2],
      ["Oldest", 90],
      ["Other", 80],
    ] as const)
      await save(title, days);
    expect(titles(await page())).toEqual(["Newest", "Second", "Oldest"]);
    await save("Of a tag", 40, { tags: "#Rail" });
    await read("Read lately", { tags: "#rail" });
    expect(titles(await page())).toEqual(["Newest", "Of a tag", "Oldest"]);
    await save("Of a site", 30, { host: "trains.example" });
    await read("Read more lately", { host: "trains.example" });
    const html = await page();
    expect(titles(html)).toEqual(["Newest", "Of a site", "Oldest"]);
    expect(html).toContain("6 links to read");
  });

  test("ends after three, each dealt with in one step, which can be undone", async () => {
    const { save, page, act, request } = await start();
    const [one, two, three] = [await save("One", 1), await save("Two", 2), await save("Three", 3)];
    await save("Four", 2.5);
    const first = await page();
    expect(titles(first)).toEqual(["One", "Two", "Three"]);
    const of = fieldValue(first, "of") ?? "";
    const afterOne = await act(`read-${one}`, of);
    expect(afterOne).toContain("Marked as read.");
    expect(titles(afterOne)).toEqual(["Two", "Three"]);
    expect(titles(await act(`unread-${one}`, of))).toEqual(["One", "Two", "Three"]);
    await act(`read-${one}`, of);
    expect(titles(await act(`archive-${two}`, of))).toEqual(["Three"]);
    expect(titles(await act(`unarchive-${two}`, of))).toEqual(["Two", "Three"]);
    await act(`archive-${two}`, of);
    const last = await act(`postpone-${three}`, of);
    expect(last).toContain("Hidden for a week.");
    expect(last).toContain("That’s all for today.");
    expect(last).toContain("1 link to read · 1 hidden for now");
    expect(last).toContain('href="/library/later">One more</a>');
    expect(titles(await page())).toEqual(["Four"]);
    const archived = await (await request("/library?show=archived")).text();
    expect(archived).toContain(">Two</a>");
  });

  test("has what was put off again after seven days", async () => {
    const { save, page, act, clock } = await start();
    const id = await save("Put off", 1);
    await act(`postpone-${id}`);
    expect(await page()).toContain("That’s all for today.");
    clock.move(7 * DAY - 1);
    expect(titles(await page())).toEqual([]);
    clock.move(1);
    expect(titles(await page())).toEqual(["Put off"]);
    await act(`postpone-${id}`);
    expect(titles(await act(`resume-${id}`, String(id)))).toEqual(["Put off"]);
  });

  test("offers to archive what is older than a year, all at once", async () => {
    const { save, page, act, database } = await start();
    await save("A year", 365);
    await save("Older", 366);
    await save("Oldest", 1_000);
    expect(await page()).toContain("2 links were saved more than a year ago.");
    const archived = await act("archive-old");
    expect(archived).toContain("2 links archived");
    expect(titles(await page())).toEqual(["A year"]);
    const rows = await database.read`select 1 from bookmarks where archived is true and unread is true`;
    expect(rows).toHaveLength(2);
  });

  test.each([
    "",
    "archive",
    "archive-",
    "archive-0",
    "remove-1",
    "constructor-1",
    "archive-99999999999999999999",
  ])("changes nothing for %j", async (name) => {
    const { save, page, act } = await start();
    await save("Kept", 1);
    await act(name);
    expect(titles(await page())).toEqual(["Kept"]);
  });

  test("is no way to read or change what is not there", async () => {
    const { page, act } = await start();
    expect(await page(`${PATH}?of=1.2.3`)).toContain("That’s all for today.");
    expect(await page(`${PATH}?of=x.-1.9999999999999999`)).toContain("That’s all for today.");
    expect(await act("archive-17")).toContain("Nothing was changed.");
  });
});
