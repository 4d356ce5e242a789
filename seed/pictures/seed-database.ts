import { resolve } from "node:path";

/** Fills an empty database with the made-up library and blog. Its newest bookmarks end a little before now. */
export function seedDatabase(databaseUrl: string): void {
  const script = resolve(import.meta.dir, "../seed.ts");
  const { success } = Bun.spawnSync(
    [process.execPath, "--no-env-file", script, "--database-url", databaseUrl],
    { stderr: "inherit" },
  );
  if (!success) throw new Error("The made-up library could not be stored.");
}
