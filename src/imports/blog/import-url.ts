import { local, type SafeUrl, segment } from "../../web/urls.ts";

/** The path of an uploaded file, or of a recorded import. */
export function importUrl(key: string | number, below: "" | "/report.json" | "/undo" = ""): SafeUrl {
  return local(`/write/import/${segment(String(key))}${below}`);
}
