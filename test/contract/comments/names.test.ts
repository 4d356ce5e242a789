import { expect, test } from "bun:test";
import { commentsOf, createPost, describeBlog } from "../../support/records/blog.ts";
import { expectErrors } from "../../support/requests/problems.ts";

describeBlog(
  "A comment without an account",
  (blog) => {
    test("cannot have an account's name, nor one that looks the same", async () => {
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
      ];
      for (const author of names) {
        const response = await blog.anyone(path, { method: "POST", json: { author, text: "x" } });
        await expectErrors(response, { pointer: "/author", code: "name_taken" });
      }
    });

    test("can have any other name, and an account its own", async () => {
      const path = commentsOf(await createPost(blog.editor));
      for (const author of ["editors", "An editor", "Éditor"]) {
        const response = await blog.anyone(path, { method: "POST", json: { author, text: "x" } });
        expect(response.status).toBe(201);
      }
      const own = await blog.editor(path, { method: "POST", json: { author: "Editor", text: "x" } });
      expect(own.status).toBe(201);
    });
  },
  { COMMENTS: "open" },
);
