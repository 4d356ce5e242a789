import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { FILES_MAX, type FileTree, isSystemFile } from "./file-tree.ts";

/** Folders that never contain posts. */
const NOT_ENTERED = new Set(["node_modules", ".git", "_site", ".jekyll-cache", ".hugo_build.lock"]);

/** The files of a folder and of all folders in it. Symbolic links are left out, since they may lead anywhere. */
export async function openFolder(folder: string): Promise<FileTree> {
  const sizes = new Map<string, number>();
  const leftOut: string[] = [];
  const enter = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (isSystemFile(entry.isDirectory() ? `${path}/` : path)) continue;
      if (entry.isDirectory()) {
        if (!NOT_ENTERED.has(entry.name)) await enter(path);
      } else if (entry.isFile()) {
        if (sizes.size >= FILES_MAX)
          throw new StartError(`${printable(folder)} has more than ${FILES_MAX} files.`, 2);
        sizes.set(path, (await stat(join(folder, path))).size);
      } else {
        leftOut.push(path);
      }
    }
  };
  await enter("");
  return {
    sizes,
    leftOut,
    stream: async (path) => createReadStream(join(folder, path)),
    [Symbol.asyncDispose]: async () => {},
  };
}
