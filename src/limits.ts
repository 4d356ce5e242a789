/** Limits that no operator needs to change. */
const LIMITS = {
  /** How long connecting to PostgreSQL, and a statement there, may take, in milliseconds. */
  connectTimeout: 5_000,
  statementTimeout: 10_000,
  /** How long a client's connection may be silent, in milliseconds: longer than at the proxies of `docs/service`. */
  connectionIdle: 75_000,
  /** Bytes of an uploaded image. */
  mediaBytes: 20 * 1024 * 1024,
  /** Copies that a bookmark takes, and bytes of a page that is sent for one. */
  copiesPerBookmark: 20,
  copyBytes: 25 * 1024 * 1024,
  /** Marks that a bookmark takes. */
  marksPerBookmark: 500,
  /** Comments that a post takes. */
  commentsPerPost: 1_000,
  /** Uploaded files that wait to be read, and their bytes: of all callers, and of one account. Anonymous callers count as one. */
  waitingUploads: {
    all: { files: 100, bytes: 256 * 1024 * 1024 },
    caller: { files: 20, bytes: 128 * 1024 * 1024 },
  },
};

export type Limits = typeof LIMITS;

let given: Partial<Limits> = {};

/** The limits of this process. */
export function limits(): Limits {
  return { ...LIMITS, ...given };
}

/** Only tests change limits: those of what happens beyond one. */
export function giveLimits(others: Partial<Limits>): void {
  given = others;
}

/** The limits that a test has changed. */
export function givenLimits(): Partial<Limits> {
  return given;
}
