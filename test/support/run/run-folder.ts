import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const MEMORY = "/dev/shm";
const RUN_FOLDER = /^commonplace-tests-(\d+)$/;
/** Less free memory than this is too little for the temporary databases, in bytes. */
const ENOUGH_MEMORY = 2 * 1024 ** 3;

/**
 * A folder for the temporary databases of a run: in memory, where an fsync takes no time (a disk makes the tests three
 * times as slow), unless the machine has too little of it or TMPDIR says another place.
 */
export function makeRunFolder(): string {
  const memory = process.env.TMPDIR || !existsSync(MEMORY) ? undefined : MEMORY;
  if (memory !== undefined) removeLeftovers();
  const parent = memory !== undefined && freeBytes(memory) >= ENOUGH_MEMORY ? memory : tmpdir();
  const folder = join(parent, `commonplace-tests-${process.pid}`);
  mkdirSync(folder, { mode: 0o755 });
  return folder;
}

/**
 * Where a test file has its databases and the logs of its servers during a run, which removes them if its tests have
 * passed. The name is short, since paths of sockets have a limit.
 */
export function folderOfFile(runFolder: string, file: string): string {
  return join(
    runFolder,
    `${basename(file).replace(/\.test\.tsx?$/, "")}-${Bun.hash(file).toString(36).slice(0, 4)}`,
  );
}

/** Removes the folder of a run, except for PostgreSQL servers: these are still stopping and remove their own folders. */
export function removeRunFolder(folder: string): void {
  const names = readdirSync(folder);
  for (const name of names)
    if (!name.startsWith("commonplace-postgres-"))
      rmSync(join(folder, name), { recursive: true, force: true });
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

/** Removes the folders of this user's runs that were killed, or have just ended. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = RUN_FOLDER.exec(name) ?? [];
    const folder = join(MEMORY, name);
    if (pid !== undefined && !existsSync(`/proc/${pid}`) && statSync(folder).uid === process.getuid?.())
      removeRunFolder(folder);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
