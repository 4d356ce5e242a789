import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PICTURES } from "../copy.ts";
import type { PagePicture } from "./data-picture.ts";
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
    const isHandedOver = ({ bytes }: PagePicture) => bytes !== undefined && bytes.length <= PICTURES.bytes;
    for (const [index, picture] of pictures.entries())
      if (isHandedOver(picture))
        writeFileSync(file(pictureName(index)), picture.bytes ?? "", { mode: 0o600 });
    return {
      page: { ...page, publishedAt: page.publishedAt?.toISOString() ?? null },
      pictures: pictures.map((picture) => ({ url: picture.url, hasBytes: isHandedOver(picture) })),
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
