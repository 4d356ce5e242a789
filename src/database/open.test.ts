import { describe, expect, test } from "bun:test";
import { openBeside } from "../../test/support/databases/database.ts";
import { temporaryFolder } from "../../test/support/server/server.ts";

describe("openDatabase", () => {
  test("opens SQLite by a path, absolute or relative to the working folder", async () => {
    using folder = temporaryFolder();
    const database = await openBeside(`sqlite:${folder.file("a.db")}`);
    expect([database.engine, database.location]).toEqual(["sqlite", folder.file("a.db")]);
    await database.close();

    const before = process.cwd();
    process.chdir(folder.path);
    const relative = await openBeside("sqlite:b/c.db");
    process.chdir(before);
    expect(relative.location).toEndWith("/b/c.db");
    expect(relative.location).toStartWith("/");
    await relative.close();
  });

  test("refuses other engines with exit code 2, and shows no password", async () => {
    const opening = openBeside("mysql://user:secret@localhost/db");
    await expect(opening).rejects.toMatchObject({ exitCode: 2 });
    await expect(opening).rejects.not.toThrow("secret");
  });
});
