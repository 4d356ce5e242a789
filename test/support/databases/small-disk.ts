import { mkdirSync } from "node:fs";
import { temporaryFolder } from "../server/server.ts";

/** A place for a database that runs out of space, and can be enlarged. */
export interface SmallDisk extends Disposable {
  /** The folder for the database. */
  readonly path: string;
  /** The command under which the server must run, so that the limit causes an error. */
  readonly under: readonly string[];
  /** Makes room for this many bytes. @param pid of the server that uses it, if one is running */
  enlarge(bytes: number, pid?: number): void;
}

/** A way to make a disk small. */
export interface SmallDiskKind {
  readonly name: string;
  make(bytes: number): SmallDisk;
}

/** A limit on the size of the files that a process writes. It needs no rights, and causes EFBIG. */
const limitedFiles: SmallDiskKind = {
  name: "a limit on the size of files",
  make(bytes) {
    const folder = temporaryFolder();
    return {
      path: folder.path,
      // The signal that accompanies the error would end the server.
      under: ["sh", "-c", `trap '' XFSZ; exec prlimit --fsize=${bytes}: "$0" "$@"`],
      // The limit applies to the server's process: without a running server there is nothing to raise.
      enlarge(bytes, pid) {
        if (pid !== undefined) call("prlimit", "--pid", String(pid), `--fsize=${bytes}:`);
      },
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    };
  },
};

/** A separate file system in memory. It needs the right to mount, and causes ENOSPC like a full disk. */
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
        // A lazy unmount, since after a failure the server may still be running.
        call("umount", "-l", path);
        folder[Symbol.dispose]();
      },
    };
  },
};

/** The kinds that this machine supports. The first one works on every machine. */
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
