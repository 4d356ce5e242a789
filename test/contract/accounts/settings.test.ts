import { expect, test } from "bun:test";
import { describeSite } from "../../support/pages/site.ts";
import { makeSession } from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";

describeSite("/settings", (site) => {
  test("two people change the settings: the second sees what the first has saved, and decides", async () => {
    const cookie = await makeSession(site.database, await site.createAccount());
    const open = async () => (await site.send("/settings", { headers: { cookie } })).text();
    const fields = {
      site_name: "Commonplace",
      description: "",
      language: "en",
      time_zone: "UTC",
      theme: "auto",
      single_keys: "on",
      bookmarks_access: "private",
      comments: "accounts",
    };
    const save = (changed: Record<string, string>) =>
      submit(site.send, "/settings", { ...fields, ...changed }, { cookie });
    const seen = fieldValue(await open(), "seen") ?? "";
    expect(seen).not.toBe("");
    expect((await save({ seen, site_name: "Hers", theme: "dark" })).status).toBe(303);

    const late = await save({ seen, site_name: "His" });
    expect(late.status).toBe(412);
    const html = await late.text();
    expect(html).toContain("<p>Someone else changed the settings after you opened them.");
    expect(html).toContain("The saved value is “Hers”.");
    expect(html).toContain("The saved value is “Dark”.");
    expect(fieldValue(html, "site_name")).toBe("His");
    expect(fieldValue(await open(), "site_name")).toBe("Hers");

    // Decided: what is typed is saved over it.
    const again = fieldValue(html, "seen") ?? "";
    expect((await save({ seen: again, site_name: "His", theme: "dark" })).status).toBe(303);
    expect(fieldValue(await open(), "site_name")).toBe("His");
    // Two who save the same have nothing to decide; nor has a client that has not seen any.
    expect((await save({ seen: again, site_name: "His", theme: "dark" })).status).toBe(303);
    expect((await save({ site_name: "Commonplace" })).status).toBe(303);
  });

  test.each(["single_keys", "today"])("what is off in an old form is a difference: %s", async (box) => {
    const cookie = await makeSession(site.database, await site.createAccount());
    const open = async () => (await site.send("/settings", { headers: { cookie } })).text();
    const fields = { site_name: "C", description: "", language: "en", time_zone: "UTC", theme: "auto" };
    const save = (changed = {}) => submit(site.send, "/settings", { ...fields, ...changed }, { cookie });
    const boxes = { single_keys: "on", today: "on" };
    expect((await save({ ...boxes, [box]: "off" })).status).toBe(422);
    const { [box as keyof typeof boxes]: _, ...others } = boxes;
    expect((await save(others)).status).toBe(303);
    const seen = fieldValue(await open(), "seen") ?? "";
    expect((await save(boxes)).status).toBe(303);
    expect((await save({ ...others, seen })).status).toBe(412);
    expect((await save({ ...boxes, seen })).status).toBe(303);
  });

  test("a line about the author and pages elsewhere stay when a form does not have them", async () => {
    const cookie = await makeSession(site.database, await site.createAccount());
    const fields = {
      site_name: "C",
      description: "",
      language: "en",
      time_zone: "UTC",
      theme: "auto",
    };
    const save = (changed = {}) => submit(site.send, "/settings", { ...fields, ...changed }, { cookie });
    const shown = async () => {
      const html = await (await site.send("/settings", { headers: { cookie } })).text();
      return [fieldValue(html, "author_line"), fieldValue(html, "profiles")];
    };
    const profiles = "\n https://social.example/@ada \n\nhttps://example.org/";
    expect((await save({ author_line: "Keeps bees.", profiles })).status).toBe(303);
    const kept = ["Keeps bees.", "https://social.example/@ada\nhttps://example.org/"];
    expect(await shown()).toEqual(kept);
    expect((await save()).status).toBe(303);
    expect(await shown()).toEqual(kept);
    const refused = await save({ profiles: "https://example.org/\njavascript:alert(1)" });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("javascript:alert(1) is not an address such as https://example.org/@me"),
    ]);
    expect((await save({ author_line: "", profiles: "" })).status).toBe(303);
    expect(await shown()).toEqual(["", ""]);
  });

  test("dates are written in the chosen style, and the colors of one's own screen are not the readers'", async () => {
    const cookie = await makeSession(site.database, await site.createAccount());
    const fields = { site_name: "C", description: "", language: "de", time_zone: "Europe/Berlin" };
    const open = async (path: string, headers = {}) => (await site.send(path, { headers })).text();
    const shown = async () => /Signed in ([^<]+?),? \d\d:\d\d/.exec(await open("/account", { cookie }))?.[1];
    for (const [date_style, pattern] of [
      ["ymd", /^\d{4}-\d\d-\d\d$/],
      ["mdy", /^[A-Z][a-z]{2}\u00a0\d+,\u00a0\d{4}$/],
      ["dmy", /^\d+\u00a0[A-Z][a-z]{2,3}\u00a0\d{4}$/],
      ["language", /^\d+\u00a0[A-Z][a-z]{2,3}\u00a0\d{4}$/],
    ] as const) {
      const chosen = { ...fields, theme: "light", screen_theme: "dark", date_style };
      expect((await submit(site.send, "/settings", chosen, { cookie })).status).toBe(303);
      expect(await shown()).toMatch(pattern);
    }
    expect(await open("/", { cookie })).toContain('data-theme="dark"');
    expect(await open("/")).toContain('data-theme="light"');
  });

  test("of two simultaneous saves, one reports a conflict", async () => {
    const cookie = await makeSession(site.database, await site.createAccount());
    const html = await (await site.send("/settings", { headers: { cookie } })).text();
    const seen = fieldValue(html, "seen") ?? "";
    const fields = { description: "", language: "en", time_zone: "UTC", theme: "auto" };
    const responses = await Promise.all(
      ["One", "Two"].map((site_name) =>
        submit(site.send, "/settings", { ...fields, site_name, single_keys: "on", seen }, { cookie }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 412]);
  });
});
