import { StartError } from "../../errors.ts";
import { reasonOf } from "../files/file-errors.ts";

/**
 * Writes a text to the standard output, on lines of its own, where it is what the command was called for.
 * @param done what is done all the same when it cannot be written, as a sentence
 * @throws StartError when not all of it can be written, which `console.log` keeps to itself
 */
export async function print(text: string, done?: string): Promise<void> {
  const lines = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await printPieces([lines], done);
}

/** Writes pieces to the standard output as fast as they are taken. @throws StartError as {@link print} */
export async function printPieces(
  pieces: Iterable<string> | AsyncIterable<string>,
  done?: string,
): Promise<void> {
  for await (const piece of pieces) {
    const error = await written(piece);
    if (!error) continue;
    const sentence = `The standard output ${reasonOf(error, "written")}.`;
    throw new StartError(done ? `${done} ${sentence}` : sentence, 1, error);
  }
}

// A pipeline() into the standard output is over before the last piece is written.
function written(piece: string): Promise<Error | null | undefined> {
  return new Promise((resolve) => {
    // The callback is told first; without a listener, the event that follows would end the process.
    process.stdout.once("error", resolve);
    process.stdout.write(piece, (error) => {
      if (!error) process.stdout.off("error", resolve);
      resolve(error);
    });
  });
}
