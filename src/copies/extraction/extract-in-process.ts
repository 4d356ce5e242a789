import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extractPage } from "./extract-page.ts";
import { ExtractionError } from "./extraction-error.ts";
import { type ExtractionRequest, type ExtractionResult, FILES, pictureName } from "./extraction-process.ts";

/** The process that extracts a page for a server. @param folder has the page and the request; the result is put there */
export function extractInProcess(folder: string): void {
  const server = process.ppid;
  const file = (name: string) => join(folder, name);
  const { url, contentType, isText } = JSON.parse(
    readFileSync(file(FILES.request), "utf8"),
  ) as ExtractionRequest;
  const result = resultOf(() => {
    const { pictures, ...page } = extractPage(readFileSync(file(FILES.page)), url, contentType, isText);
    for (const [index, { bytes }] of pictures.entries())
      if (bytes !== undefined) writeFileSync(file(pictureName(index)), bytes, { mode: 0o600 });
    return {
      page: { ...page, publishedAt: page.publishedAt?.toISOString() ?? null },
      pictures: pictures.map(({ url, bytes }) => ({ url, hasBytes: bytes !== undefined })),
    };
  });
  writeFileSync(file(FILES.result), JSON.stringify(result), { mode: 0o600 });
  // Nobody will take it.
  if (process.ppid !== server) rmSync(folder, { recursive: true, force: true });
}

function resultOf(extract: () => ExtractionResult): ExtractionResult {
  try {
    return extract();
  } catch (error) {
    if (error instanceof ExtractionError) return { refused: error.code };
    return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
