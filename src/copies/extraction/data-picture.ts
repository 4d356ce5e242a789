/** A picture of a page, in the order in which it is shown. */
export interface PagePicture {
  /** Absolute; `data:` and the type for one that the page contains. */
  readonly url: string;
  /** Of a picture that the page contains. */
  readonly bytes?: Uint8Array;
}

const DATA_URL = /^data:\s*(image\/[\w.+-]{1,40})[^,]{0,200},/i;

/** The picture in a `data:` URL; undefined for what is none that can be kept. */
export function dataPicture(url: string): PagePicture | undefined {
  const [beginning, type = ""] = DATA_URL.exec(url) ?? [];
  if (beginning === undefined || /svg/i.test(type)) return undefined;
  const isBase64 = /;\s*base64\s*,$/i.test(beginning);
  const content = url.slice(beginning.length);
  const bytes = isBase64 ? Buffer.from(content.replace(/%3d/gi, "="), "base64") : percentDecoded(content);
  return bytes.length === 0 ? undefined : { url: `data:${type.toLowerCase()}`, bytes };
}

function percentDecoded(text: string): Uint8Array {
  const latin1 = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(latin1, "latin1");
}
