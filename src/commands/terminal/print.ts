import { StartError } from "../../errors.ts";
import { reasonOf } from "../files/file-errors.ts";

/**
 * Writes a command's result to standard output, ending in a line break.
 * @param done a sentence about what was done even if the output cannot be written
 * @throws StartError when it cannot be written completely, which `console.log` would ignore
 */
export async function print(text: string, done?: string): Promise<void> {
  const lines = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await printPieces([lines], done);
}

/** Writes a remark to standard error. It has no color, unlike those of `console.error`, which are red on a terminal. */
export function printRemark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The number of characters written at once. */
const AT_ONCE = 64 * 1024;

/** Joins small pieces of a text to fewer large ones. */
export function* joined(pieces: Iterable<string>): Generator<string> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < AT_ONCE) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

/** Writes a stream to standard output with back-pressure. @throws StartError as {@link print} */
export async function printPieces(
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
  done?: string,
): Promise<void> {
  for await (const piece of pieces) {
    const error = await written(piece);
    if (!error) continue;
    const sentence = `The standard output ${reasonOf(error, "written")}.`;
    throw new StartError(done ? `${done} ${sentence}` : sentence, 1, error);
  }
}

// A pipeline() into standard output ends before the last chunk is written.
function written(piece: string | Uint8Array): Promise<Error | null | undefined> {
  return new Promise((resolve) => {
    // The callback comes first; without a listener, the following `error` event would end the process.
    process.stdout.once("error", resolve);
    process.stdout.write(piece, (error) => {
      if (!error) process.stdout.off("error", resolve);
      resolve(error);
    });
  });
}
