import { expect, test } from "bun:test";
import { findAccountByName, setDisplayName } from "../../../src/accounts/account-store.ts";
import { commentsOf, createPost, describeBlog } from "../../support/records/blog.ts";

describeBlog(
  "A comment without an account",
  (blog) => {
    test("waits with an account's name, sign-in or displayed, and with one that looks the same", async () => {
      const editor = await findAccountByName(blog.database.read, "editor");
      await blog.database.write((sql) => setDisplayName(sql, Number(editor?.id), "Ada Lovelace", new Date()));
      const path = commentsOf(await createPost(blog.editor));
      const names = [
        "editor",
        "Editor",
        " editor ",
        "edi\u200btor",
        "\uff45ditor",
        "\u2066editor\u2069",
        "edi\u034ftor",
        "editor\ufe0f",
        "editor\u3164",
        "edi\u0001tor",
        "ada lovelace",
        "Ada\u00a0Lovelace",
      ];
      for (const author of names) {
        const response = await blog.anyone(path, { method: "POST", json: { author, text: "x" } });
        expect([author, response.status]).toEqual([author, 202]);
        const { id } = (await response.json()) as { id: number };
        const [row] = await blog.database.read<{
          reasons: string;
        }>`select reasons from comments where id = ${id}`;
        expect(row?.reasons).toBe("name");
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
