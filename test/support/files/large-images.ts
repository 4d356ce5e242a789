import type { Database } from "../../../src/database/database.ts";

/** The size of each image, in bytes. */
const SIZE = 4 * 1024 * 1024;

/** Stores files of 4 MiB each as images: larger than any socket buffer. They cannot be displayed. */
export async function addLargeImages(database: Database, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const sha = String(number).padStart(40, "0");
    const bytes = Buffer.alloc(SIZE, number);
    await database.write(async (sql) => {
      await sql`
        insert into media (sha, type, width, height, size, created_at)
        values (${sha}, 'png', 1, 1, ${SIZE}, ${new Date()})`;
      await sql`insert into media_forms (sha, width, bytes) values (${sha}, 1, ${bytes})`;
    });
  }
}
