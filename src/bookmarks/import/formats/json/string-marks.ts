import type { JSONParser, Tokenizer } from "@streamparser/json";

/**
 * Makes a tokenizer keep the byte order marks inside strings, which it drops (0.0.26): it decodes each run of a string with
 * a decoder that takes a mark at its beginning for one of the encoding.
 */
export function keepMarks(of: Tokenizer | JSONParser): void {
  const { tokenizer = of } = of as { readonly tokenizer?: unknown };
  const { bufferedString } = tokenizer as { readonly bufferedString: { decoder: TextDecoder } };
  bufferedString.decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
}
