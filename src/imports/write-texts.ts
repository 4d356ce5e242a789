import { closeSync, openSync, writeSync } from "node:fs";

/** The size of what is written at a time, in characters. */
const AT_ONCE = 1024 * 1024;

/** Writes texts to a new file, one after another: memory does not grow with them. */
export function writeTexts(path: string, texts: Iterable<string>): void {
  const descriptor = openSync(path, "w", 0o600);
  let waiting = "";
  const write = () => {
    // Of a large text, the system may write a part.
    for (let bytes = Buffer.from(waiting); bytes.length > 0; )
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    waiting = "";
  };
  try {
    for (const text of texts) {
      waiting += text;
      if (waiting.length >= AT_ONCE) write();
    }
    write();
  } finally {
    closeSync(descriptor);
  }
}
