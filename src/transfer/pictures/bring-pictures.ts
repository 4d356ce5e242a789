import { Refusal } from "../../errors.ts";
import { type AcceptedImage, acceptImage } from "../../media/accept-image.ts";
import { mediaPath } from "../../media/media.ts";
import { FetchError, fetchPublic, type Network, TooManyFetches } from "../../outbound/fetch-public.ts";
import { pictureUrl, withNewPaths } from "../../readers/pictures/linked-pictures.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import type { ListedPicture } from "./picture-list.ts";
import { stillOf } from "./still-gif.ts";

/** What one import may fetch: a hostile file must not keep the server busy, or fill its disk. */
export const BRINGING = {
  /** Bytes of one picture, as of an uploaded one, and of all, as they were fetched or are stored: whatever is more. */
  pictureBytes: 20 * 1024 * 1024,
  allBytes: 512 * 1024 * 1024,
  /** Milliseconds for one picture, and for all. */
  pictureTime: 30_000,
  allTime: 60 * 60 * 1000,
  /** Milliseconds after which a run of a job begins no further picture, since other jobs wait for their turn. */
  runTime: 30_000,
  /** Pictures, and so sites, at the same time. */
  atOnce: 4,
  /** A site is given up after so many pictures in a row for which it could not be reached. */
  failuresOfHost: 5,
  /** Milliseconds until the next attempt while the server fetches too much else. */
  pause: 1_000,
};

/** A picture that was fetched, and the number of its bytes there; or why it is missing. */
export type BroughtPicture = { readonly accepted: AcceptedImage; readonly bytes: number } | MissingPicture;

interface MissingPicture {
  /** Why, as a sentence. */
  readonly missing: string;
  /** Whether another import would find the same. */
  readonly isLasting: boolean;
  /** Whether its site could not be reached. */
  readonly isUnreachable: boolean;
}

/** What a run counts of a picture that an earlier one has fetched: its bytes there or as stored, whatever is more. */
export type KnownPicture = { readonly size: number } | MissingPicture;

/** Pictures that earlier runs or attempts of the same import have fetched. */
export interface KeptPictures {
  /** Reads no picture. */
  know(number: number): Promise<KnownPicture | undefined>;
  /** @throws when it is not there any more */
  find(number: number): Promise<BroughtPicture>;
  keep(number: number, picture: BroughtPicture): Promise<void>;
}

export interface BringingOptions {
  readonly network: Network;
  /** The time of the import. */
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
  readonly kept?: KeptPictures;
  /** Milliseconds that earlier runs have fetched; without it, there is one run for all. */
  readonly spent?: number;
  /** Called after each picture, with the number of those that are done. */
  readonly onProgress?: (done: number) => Promise<void> | void;
  /** Other limits are for tests. */
  readonly limits?: typeof BRINGING;
}

/**
 * Fetches the pictures of staged posts from other sites, re-encodes them like uploads, and adds them to the records; texts
 * and covers then have their new paths. A picture that is missing keeps its address, and has a row in the report.
 *
 * Only the public internet is reached, whatever the file says ({@link fetchPublic}).
 *
 * @returns the milliseconds spent so far when another run is to fetch the others; then the records are of no use
 * @throws what `onProgress` and `kept` throw, and the reason of the signal
 */
export async function bringPictures(
  records: StagedRecords,
  options: BringingOptions,
): Promise<number | undefined> {
  const { now, kept, onProgress } = options;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const fetcher = new PictureFetcher(options);
  const paths = new Map<string, string>();
  const missing: { readonly picture: ListedPicture; readonly reason: string }[] = [];
  const waiting = records.pictures[Symbol.iterator]();
  let done = 0;
  let isCut = false;
  let failure: unknown;
  const take = (picture: ListedPicture, brought: BroughtPicture) => {
    const { address } = picture;
    if ("accepted" in brought) {
      records.addImage(brought.accepted, { file: address, line: 1 }, now);
      paths.set(address, mediaPath(brought.accepted.media));
    } else missing.push({ picture, reason: brought.missing });
  };
  const work = async () => {
    for (let next = waiting.next(); !next.done && failure === undefined && !isCut; next = waiting.next()) {
      const picture = next.value;
      signal.throwIfAborted();
      const known = await kept?.know(picture.number);
      if (known !== undefined) fetcher.count(picture, known);
      else if (fetcher.isRunOver) {
        isCut = true;
        return;
      } else {
        const brought = await fetcher.bring(picture, signal);
        if (kept === undefined) take(picture, brought);
        else await kept.keep(picture.number, brought);
      }
      await onProgress?.(++done);
    }
  };
  const workers = Array.from({ length: fetcher.limits.atOnce }, () =>
    work().catch((error) => {
      failure ??= error;
      stop.abort(error);
    }),
  );
  await Promise.all(workers);
  if (failure !== undefined) throw failure;
  if (isCut) return fetcher.spent;
  // Only the last run reads what is kept, and in the order of the posts.
  if (kept !== undefined)
    for (const picture of records.pictures) {
      options.signal?.throwIfAborted();
      take(picture, await kept.find(picture.number));
    }
  await rewritePosts(records, (address) => paths.get(address));
  // The readers said of each that it stays where it is.
  records.forgetNotes("picture_linked");
  for (const { picture, reason } of missing.toSorted((a, b) => a.picture.number - b.picture.number)) {
    const { address, location } = picture;
    const detail = `${reason} The link is unchanged; the first post with it is in ${location.file}, line ${location.line}.`;
    records.skip("image", { file: address, line: 1 }, address, "picture_missing", detail);
  }
}

async function rewritePosts(
  records: StagedRecords,
  pathOf: (address: string) => string | undefined,
): Promise<void> {
  for (const batch of records.batches("post", 10))
    for (const { position, record } of batch) {
      const content = await withNewPaths(record.content, pathOf);
      const { publication } = record;
      const cover = pictureUrl(publication?.image ?? "");
      const image = (cover && pathOf(cover)) ?? publication?.image ?? null;
      if (content === record.content && image === (publication?.image ?? null)) continue;
      records.replace(position, {
        ...record,
        content,
        publication: publication === null ? null : { ...publication, image },
      });
    }
}

/** Fetches within the limits of one import. */
class PictureFetcher {
  readonly limits: typeof BRINGING;
  readonly #network: Network;
  readonly #spentBefore: number | undefined;
  /** When the first picture of this run was asked for: those that were kept take no time of it. */
  #began: number | undefined;
  /** How often each site could not be reached since it last answered. */
  readonly #failures = new Map<string, number>();
  #bytes = 0;

  constructor({ network, limits = BRINGING, spent }: Pick<BringingOptions, "network" | "limits" | "spent">) {
    this.limits = limits;
    this.#network = network;
    this.#spentBefore = spent;
  }

  /** Milliseconds of fetching, those of earlier runs included. */
  get spent(): number {
    return (this.#spentBefore ?? 0) + this.#lasted;
  }

  /** Whether the next picture is for another run. */
  get isRunOver(): boolean {
    return (
      this.#spentBefore !== undefined && this.#began !== undefined && this.#lasted >= this.limits.runTime
    );
  }

  get #lasted(): number {
    return this.#began === undefined ? 0 : performance.now() - this.#began;
  }

  /** Counts a picture of an earlier run or attempt. */
  count({ address }: ListedPicture, picture: KnownPicture): void {
    const { host } = new URL(address);
    if (!("missing" in picture) || picture.isLasting) this.#countFailure(host, false);
    else if (picture.isUnreachable) this.#countFailure(host, true);
    if ("size" in picture) this.#bytes += picture.size;
  }

  /** The larger version of a picture, else the one that the post shows. */
  async bring({ address, shown }: ListedPicture, signal: AbortSignal): Promise<BroughtPicture> {
    this.#began ??= performance.now();
    const best = await this.#fetch(new URL(address), signal);
    const smaller = pictureUrl(shown);
    if ("accepted" in best || smaller === undefined || smaller === address) return best;
    return this.#fetch(new URL(smaller), signal);
  }

  async #fetch(url: URL, signal: AbortSignal): Promise<BroughtPicture> {
    const { pictureBytes, allBytes, pictureTime, allTime, failuresOfHost, pause } = this.limits;
    if (this.#bytes >= allBytes) return missing(`All pictures may have ${megabytes(allBytes)}.`);
    if (this.spent >= allTime) return missing("Fetching took too long in all.");
    if ((this.#failures.get(url.host) ?? 0) >= failuresOfHost)
      return missing(`${url.host} could not be reached several times in a row.`);
    try {
      // Other ports are of no web sites, and a list of them would be a scan.
      const limits = { timeout: pictureTime, maxBytes: pictureBytes + 1, accept: ACCEPT, usualPorts: true };
      const { status, bytes } = await unlessAborted(fetchPublic(url, limits, this.#network), signal);
      this.#countFailure(url.host, false);
      this.#bytes += bytes.length;
      if (status !== 200)
        return missing(`The site answered with the status ${status}.`, status < 500 && status !== 429);
      if (bytes.length > pictureBytes) return missing(`It has more than ${megabytes(pictureBytes)}.`, true);
      const accepted = await acceptImage(await stillOf(bytes));
      this.#bytes += Math.max(0, storedSize(accepted) - bytes.length);
      return { accepted, bytes: bytes.length };
    } catch (error) {
      if (error instanceof TooManyFetches) {
        await unlessAborted(Bun.sleep(pause), signal);
        return this.#fetch(url, signal);
      }
      if (error instanceof Refusal) return missing(error.message, true);
      if (!(error instanceof FetchError)) throw error;
      this.#countFailure(url.host, true);
      return { ...missing(error.message), isUnreachable: true };
    }
  }

  #countFailure(host: string, isFailure: boolean): void {
    if (isFailure) this.#failures.set(host, (this.#failures.get(host) ?? 0) + 1);
    else this.#failures.delete(host);
  }
}

/** A small file, as of one color, may have become a large one. */
function storedSize({ forms }: AcceptedImage): number {
  return forms.reduce((size, { bytes }) => size + bytes.length, 0);
}

const ACCEPT = "image/webp,image/png,image/jpeg,image/gif;q=0.8";

function missing(reason: string, isLasting = false): MissingPicture {
  return { missing: reason, isLasting, isUnreachable: false };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** A fetch that continues has its own end. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
