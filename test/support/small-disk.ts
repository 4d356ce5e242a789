import { mkdirSync } from "node:fs";
import { temporaryFolder } from "./server.ts";

/** A place for a database that runs full, and that can be given room. */
export interface SmallDisk extends Disposable {
  /** Where the database may lie. */
  readonly path: string;
  /** The command under which the server must run, so that the limit causes an error. */
  readonly under: readonly string[];
  /** Gives it room for this many bytes. @param pid of the server that runs on it, if one does */
  enlarge(bytes: number, pid?: number): void;
}

/** A way to make a disk small. */
export interface SmallDiskKind {
  readonly name: string;
  make(bytes: number): SmallDisk;
}

/** A limit on the size of the files that a process writes: needs no rights, and gives EFBIG. */
const limitedFiles: SmallDiskKind = {
  name: "a limit on the size of files",
  make(bytes) {
    const folder = temporaryFolder();
    return {
      path: folder.path,
      // The signal that comes with the error would end the server.
      under: ["sh", "-c", `trap '' XFSZ; exec prlimit --fsize=${bytes}: "$0" "$@"`],
      // Without a server there is no limit: it is the server's.
      enlarge(bytes, pid) {
        if (pid !== undefined) call("prlimit", "--pid", String(pid), `--fsize=${bytes}:`);
      },
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    };
  },
};

/** A file system of its own in memory: needs the right to mount, and gives ENOSPC, as a full disk does. */
const smallFileSystem: SmallDiskKind = {
  name: "a small file system",
  make(bytes) {
    const folder = temporaryFolder();
    const path = folder.file("mounted");
    mkdirSync(path);
    call("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path);
    return {
      path,
      under: [],
      enlarge: (bytes) => call("mount", "-o", `remount,size=${bytes}`, path),
      [Symbol.dispose]() {
        // Lazily, since after a failure the server may still be there.
        call("umount", "-l", path);
        folder[Symbol.dispose]();
      },
    };
  },
};

/** The ways that this machine knows; the first one is there on every machine. */
export const smallDisks: readonly SmallDiskKind[] = canMount()
  ? [limitedFiles, smallFileSystem]
  : [limitedFiles];

function canMount(): boolean {
  try {
    using _disk = smallFileSystem.make(65_536);
    return true;
  } catch {
    console.log("No file system can be mounted here: a full disk is tried with a limit on files alone.");
    return false;
  }
}

function call(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(words, { stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
}
