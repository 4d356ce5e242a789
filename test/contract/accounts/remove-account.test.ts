import { expect, test } from "bun:test";
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
import { describeContract } from "../../support/server/contract.ts";

const REMOVE = "/account/remove";

describeContract("Deleting one's own account", (service) => {
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
    const refused = await ada.remove();
    expect(refused.status).toBe(409);
    expect((await ada.browser("/account")).status).toBe(200);
  });

  test("of two at once, one stays", async () => {
    const { ada, grace } = await start();
    const answers = await Promise.all([ada.remove(), grace.remove()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  });
});
