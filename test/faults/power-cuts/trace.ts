import { readFileSync } from "node:fs";

/** A system call that succeeded, or whose end is not in the trace. */
export interface Call {
  readonly name: string;
  readonly thread: string;
  /** Its arguments as `strace` shows them. */
  readonly args: string;
  /** Undefined if the process was killed during the call. */
  readonly result: string | undefined;
  /** The lines of the trace where the call began and ended. */
  readonly begin: number;
  readonly end: number;
}

/** The calls that change files, make changes durable or send data. `?` marks those that not every machine has. */
const TRACED = [
  ...["?open", "?creat", "openat", "?openat2", "?truncate", "ftruncate", "fallocate"],
  ...["write", "writev", "pwrite64", "pwritev", "pwritev2", "copy_file_range", "sendfile", "splice"],
  ...["fsync", "fdatasync", "sync_file_range", "syncfs", "sync"],
  ...["?rename", "?renameat", "renameat2", "?link", "linkat", "?unlink", "unlinkat", "?symlink", "symlinkat"],
  ...["?mkdir", "mkdirat", "?rmdir", "sendto", "sendmsg"],
].join(",");

/** More bytes than any single call writes, so that `strace` shortens nothing. */
const LONGEST = 16 * 1024 * 1024;

/** The words that run a command and all its child processes under `strace`. Only the traced calls become slower. */
export function underTrace(file: string): string[] {
  const quiet = ["-qq", "-e", "signal=none"];
  return [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-y",
    "-s",
    String(LONGEST),
    ...quiet,
    "-e",
    `trace=${TRACED}`,
    "-o",
    file,
  ];
}

/** Whether this machine can trace a program in this way. */
export const canRecord = (() => {
  try {
    return Bun.spawnSync([...underTrace("/dev/null"), "true"], { stderr: "ignore" }).exitCode === 0;
  } catch {
    return false;
  }
})();

/**
 * The calls of a trace, in the order in which they began. Failed calls are left out.
 * @param concerns whether a line is relevant: most are not
 */
export function readTrace(file: string, concerns: (line: string) => boolean): Call[] {
  const calls: (Call | undefined)[] = [];
  const unfinished = new Map<string, { index: number; begin: number; text: string }>();
  const lines = readFileSync(file, "latin1").split("\n");
  for (const [number, line] of lines.entries()) {
    const [start = "", thread = ""] = /^(\d+) +/.exec(line) ?? [];
    const text = line.slice(start.length);
    if (text.startsWith("<... ")) {
      const begun = unfinished.get(thread);
      if (begun === undefined) continue;
      unfinished.delete(thread);
      const rest = text.slice(text.indexOf(" resumed>") + " resumed>".length);
      calls[begun.index] = callIn(begun.text + rest, { thread, begin: begun.begin, end: number });
    } else if (concerns(text)) {
      const begun = text.replace(UNFINISHED, "");
      if (begun !== text) {
        unfinished.set(thread, { index: calls.length, begin: number, text: begun });
        calls.push(undefined);
      } else calls.push(callIn(text, { thread, begin: number, end: number }));
    }
  }
  // A killed process may have no further lines.
  for (const [thread, { index, begin, text }] of unfinished)
    calls[index] = callIn(`${text}) = ?`, { thread, begin, end: lines.length });
  return calls.filter((call) => call !== undefined);
}

/** The end of the line of a call that goes on while others write theirs, or whose process was killed in it. */
const UNFINISHED = / <(?:unfinished|detached) \.\.\.>$/;

/** Undefined if the call failed. */
function callIn(text: string, where: Pick<Call, "thread" | "begin" | "end">): Call | undefined {
  const paren = text.indexOf("(");
  const equals = text.lastIndexOf(" = ");
  const result = text.slice(equals + " = ".length);
  if (paren < 0 || equals < 0) throw new Error(`Not a call: ${text.slice(0, 200)}`);
  if (result.startsWith("-1 ")) return undefined;
  const args = text.slice(paren + 1, text.lastIndexOf(")", equals));
  if (/(?<!\\)"\.\.\./.test(args)) throw new Error(`Shortened: ${text.slice(0, 200)}`);
  return { ...where, name: text.slice(0, paren), args, result: result === "?" ? undefined : result };
}

/** The path of a file descriptor, as in `17</tmp/file>`; undefined for a file without a name. */
export function pathOfDescriptor(shown: string): string | undefined {
  const [, path] = /^\d*(?:AT_FDCWD)?<([^>]*)>(?!\(deleted\))/.exec(shown) ?? [];
  return path?.startsWith("/") ? path : undefined;
}

/** The strings among the arguments, as written in the trace. */
export function stringsIn(args: string): string[] {
  return [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
}

/** The bytes that a call with one string argument writes. */
export function bytesIn(args: string): Buffer {
  return unescaped(args.slice(args.indexOf('"') + 1, args.lastIndexOf('"')));
}

const BACKSLASH = 0x5c;
const ZERO = 0x30;
const ESCAPES = new Map(
  [..."nrtvf"].map((letter, index) => [letter.charCodeAt(0), "\n\r\t\v\f".charCodeAt(index)]),
);

/** Decodes octal numbers and letter escapes after a backslash (strace(1)). */
function unescaped(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    let code = text.charCodeAt(at++);
    if (code === BACKSLASH) {
      code = text.charCodeAt(at++);
      if (isOctal(code)) {
        let value = code - ZERO;
        for (let digits = 1; digits < 3 && isOctal(text.charCodeAt(at)); digits++)
          value = value * 8 + text.charCodeAt(at++) - ZERO;
        code = value;
      } else code = ESCAPES.get(code) ?? code;
    }
    bytes[length++] = code;
  }
  return bytes.subarray(0, length);
}

function isOctal(code: number): boolean {
  return code >= ZERO && code < ZERO + 8;
}
