import type { StreamedResponseData } from "../http/response-data.ts";

/** The headers of a file that browsers save. @param name without quotes and backslashes */
export function downloadHeaders(name: string): Readonly<Record<string, string>> {
  return {
    "content-disposition": `attachment; filename="${name}"`,
    // The file contains user input: opened as a page of this site, it may do nothing.
    "content-security-policy": "default-src 'none'; sandbox",
  };
}

/** A JSON document as a file that browsers save. */
export function jsonDownload(name: string, body: AsyncGenerator<string>): StreamedResponseData {
  return { status: 200, contentType: "application/json", body, headers: downloadHeaders(name) };
}
