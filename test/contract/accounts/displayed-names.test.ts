import { describe, expect, test } from "bun:test";
import { newContentKey } from "../../../src/accounts/content-keys/content-key.ts";
import { createKey } from "../../../src/accounts/keys.ts";
import { Commands, expectRefused } from "../../support/machine/commands.ts";
import { describeSite, oneEngine } from "../../support/pages/site.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { PASSWORD } from "../../support/requests/sign-in.ts";
import { describeApp } from "../../support/server/contract.ts";

/** Not a word of anything else. */
const USERNAME = "signin-name";

describeApp("A displayed name", (service) => {
  const start = async () => {
    const app = await service.startApp({ COMMENTS: "moderated", POSTS_ACCESS: "read" });
    const ada = await makeAccount(app.database, USERNAME);
    const program = withToken(app.request, await makeToken(app.database, ada));
    const browser = withHeaders(app.request, { cookie: await makeSession(app.database, ada) });
    const key = newContentKey();
    await app.database.write((sql) =>
      createKey(sql, "website", ada.id, { name: "site", secret: key }, new Date()),
    );
    const json = { title: "A post", content: "Text", published: true };
    const { id } = (await (await program("/api/posts/", { method: "POST", json })).json()) as { id: number };
    const rename = (display_name: string) => submit(browser, "/account/name", { display_name });
    return { ...app, program, browser, rename, ghost: `/ghost/api/content/authors/?key=${key}`, post: id };
  };

  test("is set on the page of the account, and is the sign-in name before and without it", async () => {
    const { browser, rename } = await start();
    const shown = async () => fieldValue(await (await browser("/account")).text(), "display_name");
    expect(await shown()).toBe(USERNAME);
    expect((await rename("  Ada Lovelace ")).status).toBe(303);
    expect(await shown()).toBe("Ada Lovelace");
    expect((await rename("x".repeat(100))).status).toBe(303);
    expect((await rename("x".repeat(101))).status).toBe(422);
    expect((await rename("")).status).toBe(303);
    expect(await shown()).toBe(USERNAME);
  });

  test("is all that readers see and find of the account: above its comments, and as the author of its posts", async () => {
    const { request, program, browser, rename, ghost, post } = await start();
    const found = async (q: string) => {
      const response = await request(`/api/posts/?search=${encodeURIComponent(q)}`);
      return ((await response.json()) as { count: number }).count;
    };
    const authors = async () => {
      const { authors } = (await (await request(ghost)).json()) as {
        authors: { name: string; slug: string }[];
      };
      return authors.map(({ name, slug }) => [name, slug]);
    };
    expect([await found(USERNAME), await found("lovelace"), await authors()]).toEqual([
      1,
      0,
      [[USERNAME, USERNAME]],
    ]);
    await rename("Ada Lovelace");
    expect([await found(USERNAME), await found("lovelace")]).toEqual([0, 1]);
    expect(await authors()).toEqual([["Ada Lovelace", "ada-lovelace"]]);
    const comments = `/api/posts/${post}/comments/`;
    const comment = await program(comments, { method: "POST", json: { text: "By a program" } });
    expect(await comment.json()).toMatchObject({ author: "Ada Lovelace" });
    expect(await (await browser("/posts/a-post/comments")).text()).toContain("Ada Lovelace");
    await submit(browser, "/posts/a-post/comments", { text: "By a person" });
    const list = (await (await request(comments)).json()) as { results: { author: string }[] };
    expect(list.results.map(({ author }) => author)).toEqual(["Ada Lovelace", "Ada Lovelace"]);
    expect([await found(USERNAME), await found("lovelace")]).toEqual([0, 1]);
    for (const path of ["/", "/posts/a-post", "/feed.xml", "/feed.json", `/api/posts/${post}/`, ghost])
      expect([path, (await (await request(path)).text()).includes(USERNAME)]).toEqual([path, false]);
  });
});

describeSite(
  "commonplace account, displayed names",
  (site) => {
    const commands = new Commands(site);

    describe("--display-name and display-name", () => {
      test("set it, change it and remove it", async () => {
        const named = async () =>
          (await commands.accounts()).filter(({ username }) => username === "ada")[0]?.display_name;
        await commands.run(["account", "add", "ada", "--display-name", "Ada L."], `${PASSWORD}\n`);
        expect(await named()).toBe("Ada L.");
        await commands.run(["account", "display-name", "ada", "Ada Lovelace"]);
        expect(await named()).toBe("Ada Lovelace");
        await commands.run(["account", "display-name", "ada", ""]);
        expect(await named()).toBe("ada");
        expectRefused(await commands.run(["account", "display-name", "ada", "x".repeat(101)]), 2, /100 char/);
        expectRefused(await commands.run(["account", "display-name", "nobody", "x"]), 1, /nobody/);
      });
    });
  },
  { on: oneEngine },
);
