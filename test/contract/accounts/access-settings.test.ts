import { describe, expect, test } from "bun:test";
import { startServer, temporaryFolder } from "../../support/server/server.ts";

describe("The log at the start", () => {
  /** What a server says of itself before the first request. */
  async function linesAtStart(settings: Record<string, string>): Promise<Record<string, unknown>[]> {
    using folder = temporaryFolder();
    const server = await startServer({
      DATABASE_URL: `sqlite:${folder.file("commonplace.db")}`,
      ...settings,
    });
    await server.stop();
    return server.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  test("warns that anyone may post with POSTS_ACCESS=open", async () => {
    const lines = await linesAtStart({ POSTS_ACCESS: "open", BOOKMARKS_ACCESS: "open" });
    const warnings = lines.filter(({ level }) => level === "warn").map(({ message }) => String(message));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("POSTS_ACCESS");
    expect(warnings[0]).toMatch(/anyone/);
  });

  test.each(["read", "private"])("does not announce write access for anyone with %s", async (access) => {
    const lines = await linesAtStart({ BOOKMARKS_ACCESS: access, POSTS_ACCESS: access });
    const said = lines
      .map(({ message }) => String(message))
      .filter((message) => /^(?:bookmarks|posts):/.test(message));
    expect(said).toHaveLength(2);
    for (const message of said) expect(message).not.toMatch(/anyone(?! may read, accounts may write)/);
    expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("announces that anyone may write the bookmarks, the default", async () => {
    const said = (await linesAtStart({})).map((line) => JSON.stringify(line));
    expect(said.filter((line) => /bookmarks/.test(line) && /anyone[^"]*write/.test(line))).toHaveLength(1);
  });
});
