import { messageOf } from "../../errors.ts";

/** Why a file cannot be read or written, as a clause after its name. */
export function reasonOf(error: unknown, verb: "read" | "written"): string {
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "ENOENT":
      return "does not exist";
    case "EISDIR":
      return "is a folder, not a file";
    case "EACCES":
    case "EPERM":
      return `cannot be ${verb}: permission denied`;
    case "EROFS":
      return "is on a read-only file system";
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return "cannot be written: the disk is full";
    case "EPIPE":
      return "was closed before everything was written";
    default:
      return `cannot be ${verb} (${messageOf(error)})`;
  }
}

/** Whether an error is a system error with this code. */
export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
