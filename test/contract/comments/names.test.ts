import { expect, test } from "bun:test";
import { findAccountByName, setDisplayName } from "../../../src/accounts/account-store.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { commentsOf, createPost, describeBlog } from "../../support/records/blog.ts";
import type { Send } from "../../support/requests/send.ts";

describeBlog(
  "A comment without an account",
  (blog) => {
    /** Why a stranger's comment under a name waits; undefined if it is shown. */
    const reasonAgainst = async (path: string, author: string) => {
      const response = await blog.anyone(path, { method: "POST", json: { author, text: "x" } });
      const { id } = (await response.json()) as { id: number };
      const [row] = await blog.database.read<{
        reasons: string | null;
      }>`select reasons from comments where id = ${id}`;
      expect(response.status).toBe(row?.reasons ? 202 : 201);
      return row?.reasons ?? undefined;
    };

    test("waits with the name that readers see on an account's posts, and with one that looks the same", async () => {
      const editor = await findAccountByName(blog.database.read, "editor");
      await blog.database.write((sql) => setDisplayName(sql, Number(editor?.id), "Ada Lovelace", new Date()));
      const path = commentsOf(await createPost(blog.editor));
      const names = [
        "Ada Lovelace",
        "ada lovelace",
        " Ada Lovelace ",
        "Ada  Lovelace",
        "Ada\u00a0Lovelace",
        "A\u200bda Lovelace",
        "\uff21da Lovelace",
        "\u2066Ada Lovelace\u2069",
        "Ad\u034fa Lovelace",
        "Ada Lovelace\ufe0f",
        "Ada Lovelace\u3164",
        "Ada\u0001 Lovelace",
        "\u0410da Lovelace",
      ];
      for (const author of names)
        expect([author, await reasonAgainst(path, author)]).toEqual([author, "name"]);
      // Without a displayed name, readers see the one for signing in.
      await blog.database.write((sql) => setDisplayName(sql, Number(editor?.id), null, new Date()));
      expect(await reasonAgainst(path, "Editor")).toBe("name");
      expect(await reasonAgainst(path, "Ada Lovelace")).toBeUndefined();
    });

    test("waits with the name of an account that has commented, and with that of the site", async () => {
      const path = commentsOf(await createPost(blog.editor));
      expect(await reasonAgainst(path, "Grace")).toBeUndefined();
      await blog.editor(path, { method: "POST", json: { author: "Gr\u0430ce", text: "x" } });
      expect(await reasonAgainst(path, "Grace")).toBe("name");
      expect(await reasonAgainst(path, "C\u043emmonplace")).toBe("name");
    });

    test("tells nothing of names that readers do not see", async () => {
      const { database } = blog;
      const path = commentsOf(await createPost(blog.editor));
      const makers = {
        "only-reader": async () => {},
        "only-drafter": async (send: Send) => {
          const json = { title: "x", content: "x", published: false };
          await send("/api/drafts/", { method: "POST", json });
        },
        withdrawn: async (send: Send) => {
          const post = await createPost(send);
          await send(`/api/posts/${post.id}/`, { method: "PATCH", json: { published: false } });
        },
        "sign-in-name": async (send: Send, id: number) => {
          await database.write((sql) => setDisplayName(sql, id, "Grace Hopper", new Date()));
          await createPost(send);
        },
      };
      for (const [username, make] of Object.entries(makers)) {
        const account = await makeAccount(database, username);
        await make(withToken(blog.anyone, await makeToken(database, account)), account.id);
        expect([username, await reasonAgainst(path, username)]).toEqual([username, undefined]);
      }
    });

    test("can have any other name, and an account its own", async () => {
      const path = commentsOf(await createPost(blog.editor));
      for (const author of ["editors", "An editor", "Éditor", "Ada"]) {
        const response = await blog.anyone(path, { method: "POST", json: { author, text: "x" } });
        expect(response.status).toBe(201);
      }
      const own = await blog.editor(path, { method: "POST", json: { author: "Editor", text: "x" } });
      expect(own.status).toBe(201);
    });
  },
  { COMMENTS: "open" },
);
