import { configuredObjects } from "../../../src/config/configured-objects.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { CopyRoom } from "../../../src/copies/copy-room.ts";
import { Extractor } from "../../../src/copies/extraction/extraction-process.ts";
import { CopyKeeper } from "../../../src/copies/keep-copy.ts";
import type { Database } from "../../../src/database/database.ts";
import type { ImportParts } from "../../../src/imports/import-job.ts";
import { ownExtractor } from "../copies/fetching.ts";
import { isFullRun } from "../run/full-run.ts";

/** What a server with these settings gives an import; in the short run, texts are sanitized in the process of the test. */
export function importParts(database: Database, settings: Record<string, string> = {}): ImportParts {
  const config = readConfig(settings);
  const places = { database, objects: configuredObjects(config) };
  const room = new CopyRoom(database, config.copiesMax);
  const extractor = isFullRun ? new Extractor() : ownExtractor;
  const texts = { keeper: new CopyKeeper({ ...places, room }), extractor };
  return { ...places, texts, bookmarksAccess: config.bookmarksAccess };
}
