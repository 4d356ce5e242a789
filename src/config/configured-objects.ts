import { type ObjectStore, S3Store } from "../media/object-store.ts";
import type { Config } from "./config.ts";
import { checkMedia, readSetting } from "./read-config.ts";

type MediaConfig = Pick<Config, "media" | "mediaEndpoint" | "mediaKey" | "mediaSecret">;

/** The store of images beside the database; undefined when they are in it. */
export function configuredObjects(config: MediaConfig): ObjectStore | undefined {
  const { media, mediaEndpoint = "", mediaKey = "", mediaSecret = "" } = config;
  if (media === undefined) return undefined;
  const access = { accessKeyId: mediaKey, secretAccessKey: mediaSecret };
  return new S3Store({ ...media, ...access, endpoint: mediaEndpoint });
}

/** The same for commands, which need no other settings. @throws StartError as `readConfig` does */
export function readObjects(
  environment: Readonly<Record<string, string | undefined>>,
): ObjectStore | undefined {
  const config = {
    media: readSetting("media", environment),
    mediaEndpoint: readSetting("mediaEndpoint", environment),
    mediaKey: readSetting("mediaKey", environment),
    mediaSecret: readSetting("mediaSecret", environment),
  };
  checkMedia(config);
  return configuredObjects(config);
}
