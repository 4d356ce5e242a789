import { password as prompt } from "@clack/prompts";
import { passwordError } from "../../accounts/account.ts";
import { StartError } from "../../errors.ts";

/** Longest line of standard input that is read as a password, in bytes. */
const LINE_MAX = 4_096;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * A new password: prompted for twice on a terminal, otherwise the first line of standard input.
 * @throws StartError when the password is not valid
 */
export async function askPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await askTwice() : await firstLine();
  const error = passwordError(password)?.detail;
  if (error !== undefined) throw new StartError(error, 2);
  return password;
}

async function askTwice(): Promise<string> {
  const password = answered(
    await prompt({
      message: "Password",
      // Otherwise, a refused password would stay in the field, hidden, before the next one.
      clearOnError: true,
      validate: (value) => passwordError(value ?? "")?.detail,
    }),
  );
  const again = answered(await prompt({ message: "Again" }));
  if (again !== password) throw new StartError("The passwords do not match.", 2);
  return password;
}

function answered(answer: string | symbol): string {
  if (typeof answer === "symbol") throw new StartError("Canceled. Nothing was changed.", 2);
  return answer;
}

/** Reads only to the end of the line, so that the writer need not close the pipe. */
async function firstLine(): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (bytes.includes("\n") || bytes.length > LINE_MAX) break;
  }
  if (bytes.length === 0)
    throw new StartError(
      "No password: the standard input is empty. Run the command in a terminal, or give the password as the first line of its input.",
      2,
    );
  const end = bytes.indexOf("\n");
  const line = end === -1 ? bytes : bytes.subarray(0, end);
  try {
    return utf8.decode(line).replace(/\r$/, "");
  } catch {
    throw new StartError("The password is not valid UTF-8.", 2);
  }
}
