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
      links: "",
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

    const late = await save({ seen, site_name: "His", links: "About /about" });
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

  test("of two simultaneous saves, one reports a conflict", async () => {
    const cookie = await makeSession(site.database, await site.createAccount());
    const html = await (await site.send("/settings", { headers: { cookie } })).text();
    const seen = fieldValue(html, "seen") ?? "";
    const fields = { description: "", language: "en", time_zone: "UTC", links: "", theme: "auto" };
    const responses = await Promise.all(
      ["One", "Two"].map((site_name) =>
        submit(site.send, "/settings", { ...fields, site_name, single_keys: "on", seen }, { cookie }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 412]);
  });
});
