import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DISK, KILLED, MARKS, type Mark } from "./marks.ts";
import { bytesIn, type Call, pathOfDescriptor, readTrace, stringsIn } from "./trace.ts";

/** The operations on files, and the promises, in order. Paths are relative to the disk. */
export type Operation = { readonly begin: number; readonly end: number } & (
  | { readonly kind: "write"; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "resize"; readonly path: string; readonly size: number }
  /** A file was opened for writing, and created if it did not exist. */
  | { readonly kind: "open"; readonly path: string; readonly empties: boolean }
  | { readonly kind: "folder" | "remove"; readonly path: string }
  | { readonly kind: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly kind: "sync"; readonly path: string }
  /** The server sent the successful response to a request. */
  | { readonly kind: "response"; readonly request: string }
  | { readonly kind: "mark"; readonly mark: Mark }
);

/** An {@link Operation} without its position in the trace. */
type Act = Operation extends infer One ? (One extends Operation ? Omit<One, "begin" | "end"> : never) : never;

/** The first part of a line, long enough for its paths or the head of a response. */
const HEAD = 1_500;

/** Reads the trace of a recording. @throws when it has a call that this program cannot repeat */
export function readOperations(folder: string): Operation[] {
  const concerns = (line: string) => {
    const head = line.slice(0, HEAD);
    return head.includes(folder) || head.includes('"HTTP/1.1 2');
  };
  const reader = new CallReader(folder);
  const operations: Operation[] = [];
  for (const call of readTrace(join(folder, "trace"), concerns)) {
    const { begin, end } = call;
    for (const act of reader.read(call)) operations.push({ ...act, begin, end });
  }
  // A sync counts once it has returned. Any other operation may have taken effect as soon as it began.
  return operations
    .map((operation) => ({ operation, at: operation.kind === "sync" ? operation.end : operation.begin }))
    .sort((one, other) => one.at - other.at)
    .map(({ operation }) => operation);
}

class CallReader {
  readonly #folder: string;
  readonly #disk: string;
  /** The position of the next `write`, by thread and descriptor. */
  readonly #offsets = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#disk = join(folder, DISK);
  }

  read(call: Call): Act[] {
    const { name, args, result } = call;
    const path = this.#onDisk(pathOfDescriptor(args));
    switch (name) {
      case "open":
      case "openat":
      case "creat":
        return this.#opened(call);
      case "write":
        if (pathOfDescriptor(args) === join(this.#folder, MARKS)) return [markIn(args)];
        return path === undefined ? responses(args) : this.#written(call, path);
      case "sendto":
        return responses(args);
      case "pwrite64":
        return path === undefined ? [] : this.#writtenAt(call, path);
      case "ftruncate":
        return path === undefined || result === undefined
          ? []
          : [{ kind: "resize", path, size: Number(args.split(", ")[1]) }];
      case "truncate":
        return this.#named(args).map((path) => ({ kind: "resize", path, size: Number(args.split(", ")[1]) }));
      case "fsync":
      case "fdatasync":
        return path === undefined || result === undefined ? [] : [{ kind: "sync", path }];
      case "mkdir":
      case "mkdirat":
        return this.#named(args).map((path) => ({ kind: "folder", path }));
      case "unlink":
      case "unlinkat":
      case "rmdir":
        return this.#named(args).map((path) => ({ kind: "remove", path }));
      case "rename":
      case "renameat":
        return this.#pair("rename", args);
      case "link":
      case "linkat":
        return this.#pair("link", args);
      case "sendmsg":
      case "writev":
        if (/HTTP\/1\.1 2/.test(args)) throw new Error(`A response by ${name}`);
        return [];
      case "copy_file_range":
        if (this.#onDisk(pathOfDescriptor(args.split(", ")[2] ?? "")) === undefined) return [];
        throw new Error(`Unknown call: ${name}(${args.slice(0, 200)}`);
      default:
        if (args.includes(this.#disk)) throw new Error(`Unknown call: ${name}(${args.slice(0, 200)}`);
        return [];
    }
  }

  #opened({ thread, args, result }: Call): Act[] {
    const path = this.#onDisk(pathOfDescriptor(result ?? ""));
    if (path === undefined || result === undefined) return [];
    this.#offsets.set(`${thread} ${Number.parseInt(result, 10)}`, 0);
    const flags = args.slice(args.lastIndexOf('"'));
    if (!/O_CREAT|O_TRUNC/.test(flags)) return [];
    return [{ kind: "open", path, empties: flags.includes("O_TRUNC") }];
  }

  #written({ thread, args, result }: Call, path: string): Act[] {
    const key = `${thread} ${Number.parseInt(args, 10)}`;
    const offset = this.#offsets.get(key);
    if (offset === undefined || result === undefined)
      throw new Error(`Where does this go: ${args.slice(0, 200)}`);
    const bytes = bytesIn(args).subarray(0, Number(result));
    this.#offsets.set(key, offset + bytes.length);
    return [{ kind: "write", path, offset, bytes }];
  }

  #writtenAt({ args, result }: Call, path: string): Act[] {
    const offset = Number(args.slice(args.lastIndexOf(",") + 1));
    const bytes = bytesIn(args);
    if (result === undefined && !this.#wasWritten(path, offset, bytes)) return [];
    return [{ kind: "write", path, offset, bytes: bytes.subarray(0, Number(result ?? bytes.length)) }];
  }

  /** Whether a write took effect although its process was killed during it. */
  #wasWritten(path: string, offset: number, bytes: Buffer): boolean {
    const left = readFileSync(join(this.#folder, KILLED, path));
    return left.subarray(offset, offset + bytes.length).equals(bytes);
  }

  #pair(kind: "rename" | "link", args: string): Act[] {
    const [path, to] = this.#named(args);
    return path === undefined || to === undefined ? [] : [{ kind, path, to }];
  }

  #named(args: string): string[] {
    return stringsIn(args).flatMap((path) => {
      if (!path.startsWith("/") && args.includes(this.#disk)) throw new Error(`A relative path: ${args}`);
      return this.#onDisk(path) ?? [];
    });
  }

  /** Undefined for a path outside the disk. */
  #onDisk(path: string | undefined): string | undefined {
    if (path === this.#disk) return "";
    return path?.startsWith(`${this.#disk}/`) ? relative(this.#disk, path) : undefined;
  }
}

function markIn(args: string): Act {
  return { kind: "mark", mark: JSON.parse(bytesIn(args).toString()) as Mark };
}

function responses(args: string): Act[] {
  const [, request] = /"HTTP\/1\.1 2.*?\\r\\nx-request-id: ([\w-]+)\\r/i.exec(args.slice(0, HEAD)) ?? [];
  return request === undefined ? [] : [{ kind: "response", request }];
}
