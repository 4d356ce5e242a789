import { expect, test } from "bun:test";
import { createWelcomeLink } from "../../../src/accounts/welcome/welcome-link.ts";
import {
  disableAccount,
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { PASSWORD } from "../../support/requests/sign-in.ts";
import { describeApp } from "../../support/server/contract.ts";

const REMOVE = "/account/remove";

describeApp("Deleting one's own account", (service) => {
  const start = async () => {
    const app = await service.startApp();
    const people = ["ada", "grace"].map(async (name) => {
      const account = await makeAccount(app.database, name, PASSWORD);
      const browser = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
      const program = withToken(app.request, await makeToken(app.database, account));
      const remove = (current_password = PASSWORD) => submit(browser, REMOVE, { current_password });
      return { account, browser, program, remove };
    });
    const [ada, grace] = await Promise.all(people);
    if (ada === undefined || grace === undefined) throw new Error("There are two.");
    return { ...app, ada, grace };
  };

  test("needs the password, ends sessions and keys, and leaves what was written to the others", async () => {
    const { ada, grace } = await start();
    const found = async (q: string) => {
      const response = await grace.program(`/api/posts/?search=${encodeURIComponent(q)}`);
      return ((await response.json()) as { count: number }).count;
    };
    const json = { title: "A post", content: "Text", published: true };
    expect((await ada.program("/api/posts/", { method: "POST", json })).status).toBe(201);
    expect(await found("ada")).toBe(1);
    const refused = await ada.remove("a guess");
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("The current password is wrong.");
    expect((await ada.browser("/account")).status).toBe(200);

    const removed = await ada.remove();
    expect([removed.status, removed.headers.get("location")]).toEqual([303, "/sign-in"]);
    expect((await ada.browser("/account", { headers: { accept: "text/html" } })).status).not.toBe(200);
    expect((await ada.program("/api/tokens/")).status).toBe(401);
    const list = await (await grace.program("/api/posts/")).json();
    expect(JSON.stringify(list)).toContain("A post");
    expect(await found("A post")).toBe(1);
    expect(await found("ada")).toBe(0);
  });

  test("is refused to the only one that can sign in, and the page says how else", async () => {
    const { ada, grace, database } = await start();
    await disableAccount(database, grace.account);
    expect(await (await ada.browser(REMOVE)).text()).toContain("account remove ada --force");
    // The name is asked for where no other account is left, not even a disabled one.
    for (const fields of [{}, { username: "ada" }]) {
      const refused = await submit(ada.browser, REMOVE, { current_password: PASSWORD, ...fields });
      expect([fields, refused.status]).toEqual([fields, 409]);
    }
    expect((await ada.browser("/account")).status).toBe(200);
  });

  test("of two at once, one stays", async () => {
    const { ada, grace } = await start();
    const answers = await Promise.all([ada.remove(), grace.remove()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  });

  test("takes the last one of all with its name, too, ends what it shared, and keeps the library private", async () => {
    const { request, database } = await service.startApp({ BOOKMARKS_ACCESS: "auto" });
    const account = await makeAccount(database, "Ada", PASSWORD);
    const browser = withHeaders(request, { cookie: await makeSession(database, account) });
    const program = withToken(request, await makeToken(database, account));
    const bookmark = { url: "https://example.com/kept", title: "Kept" };
    expect((await program("/bookmarks/", { method: "POST", json: bookmark })).status).toBe(201);
    const page = await (await browser(REMOVE)).text();
    expect(page).toContain("Type Ada.");
    expect(page).toContain("welcome</code>");
    const remove = (fields: Record<string, string>) =>
      submit(browser, REMOVE, { current_password: PASSWORD, ...fields });
    for (const [fields, status, said] of [
      [{}, 409, "This is the only account"],
      [{ username: "grace" }, 422, "This is not the name of your account, Ada."],
      [{ username: "" }, 422, "This is not the name of your account, Ada."],
      [{ username: "ada", current_password: "a guess" }, 422, "The current password is wrong."],
    ] as const) {
      const refused = await remove(fields);
      expect([refused.status, (await refused.text()).includes(said)]).toEqual([status, true]);
    }
    expect((await browser("/account")).status).toBe(200);
    const removed = await remove({ username: " ada " });
    expect([removed.status, removed.headers.get("location")]).toEqual([303, "/sign-in"]);
    const [left] = await database.read<{ n: number }>`
      select (select count(*) from accounts) + (select count(*) from sessions) + (select count(*) from tokens) +
        (select count(*) from keys) as n`;
    expect(Number(left?.n)).toBe(0);
    for (const send of [request, browser, program]) {
      expect((await send("/bookmarks/")).status).toBe(401);
      const json = { title: "x", content: "", published: true };
      expect((await send("/api/posts/", { method: "POST", json })).status).toBe(401);
    }
    expect((await request("/sign-in")).status).toBe(200);
    const link = await createWelcomeLink(database, new Date());
    expect((await request(`/welcome/${link?.secret}`)).status).toBe(200);
    const next = withToken(
      request,
      await makeToken(database, await makeAccount(database, "grace", PASSWORD)),
    );
    expect(((await (await next("/bookmarks/")).json()) as unknown[]).length).toBe(1);
  });
});
