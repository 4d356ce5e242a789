import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { Refusal } from "../../errors.ts";

/** Parameters of argon2id (RFC 9106); the memory in KiB. */
interface Parameters {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** As OWASP recommends: 19 MiB, two passes, one lane. */
const CURRENT: Parameters = { memory: 19_456, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Simultaneous hashes, so that sign-ins cannot exhaust memory or CPU. */
const AT_ONCE = 2;
/** Sign-ins that may wait for a hash; further ones are refused at once. */
const WAITING_MAX = 64;

const derive = promisify(argon2);
const waiting: (() => void)[] = [];
let underWay = 0;

/** Hashes a password into a PHC string. Takes some 30 ms of another thread. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await inTurn(() => argon2id(password, salt, CURRENT));
  return phcString(salt, tag);
}

/**
 * Whether a password matches a hash. Without a hash it takes the same time and returns false, so that the timing does
 * not reveal which accounts exist.
 *
 * @throws Refusal `unavailable` if too many sign-ins are waiting
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { salt, tag, parameters } = parseHash(hash ?? NO_HASH);
  const derived = await inTurn(() => argon2id(password, salt, parameters));
  return timingSafeEqual(derived, tag) && hash !== undefined;
}

/**
 * Whether a hash was made with weaker parameters than the current ones. Hashes with another number of lanes, made by
 * other software, cannot be compared: they stay.
 */
export function isOutdated(hash: string): boolean {
  const { parameters } = parseHash(hash);
  return parameters.lanes === CURRENT.lanes && workOf(parameters) < workOf(CURRENT);
}

function workOf({ memory, passes }: Parameters): number {
  return memory * passes;
}

const NO_HASH = phcString(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

function phcString(salt: Buffer, tag: Buffer): string {
  const { memory, passes, lanes } = CURRENT;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${base64(salt)}$${base64(tag)}`;
}

function argon2id(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  return derive("argon2id", {
    message: Buffer.from(password),
    nonce: salt,
    parallelism: parameters.lanes,
    tagLength: TAG_BYTES,
    memory: parameters.memory,
    passes: parameters.passes,
  });
}

/** Parses a PHC string: a hash is verified with its own parameters. */
function parseHash(hash: string): { salt: Buffer; tag: Buffer; parameters: Parameters } {
  const [, memory, passes, lanes, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash) ?? [];
  if (salt === undefined || tag === undefined) throw new Error("a stored password hash is not argon2id");
  return {
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
    parameters: { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) },
  };
}

/** Runs work in turn: when one finishes, the one that has waited longest begins. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay < AT_ONCE) underWay++;
  else {
    if (waiting.length >= WAITING_MAX)
      throw new Refusal("unavailable", "Too many simultaneous sign-ins: try again in a moment.", {
        retryAfter: 2,
      });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) underWay--;
    else next();
  }
}

/** The PHC string format uses base64 without padding. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
