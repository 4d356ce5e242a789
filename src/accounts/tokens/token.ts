import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { Scope } from "../scope.ts";

/**
 * A key is `cmpl_`, which scanners for leaked secrets can recognize, the token's id, 160 random bits, and a checksum
 * that distinguishes a typing error from a wrong key.
 */
const KEY = /^cmpl_((\d{1,15})_([0-9a-f]{40}))([0-9a-f]{8})$/;

/** A token as it is stored; its key is known to its bearer alone. */
export interface Token {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** The URL of the program that signed in for it; null where a person copied the key. */
  readonly clientId: string | null;
}

/** The secret part of a new key, or of the address of a feed: 160 random bits. */
export function newSecret(): string {
  return randomBytes(20).toString("hex");
}

/** The key of a token, shown once. */
export function keyOf(id: number, secret: string): string {
  const content = `${id}_${secret}`;
  return `cmpl_${content}${checksum(content)}`;
}

/** The parts of a key; undefined when it cannot be one of ours. */
export function parseKey(key: string): { id: number; secret: string } | undefined {
  const [, content, id, secret, sum] = KEY.exec(key) ?? [];
  if (content === undefined || secret === undefined || sum !== checksum(content)) return undefined;
  return { id: Number(id), secret };
}

/** The stored form of a random secret: its hash in hexadecimal. */
export function hashOfSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Whether a secret is the one with this hash, in constant time. */
export function isSecret(secret: string, secretHash: Uint8Array): boolean {
  return timingSafeEqual(hash("sha256", secret, "buffer"), secretHash);
}

function checksum(content: string): string {
  return crc32(content).toString(16).padStart(8, "0");
}

/** How many days a key made on a page is valid; null: until it is revoked. */
const LIFETIMES = { never: null, "90": 90, "365": 365 } as const;

/** The choice of a lifetime in a form. */
export const Lifetime = z.enum(["never", "90", "365"]).transform((choice) => LIFETIMES[choice]);

/** When a key that is made now ends. @param days null: never */
export function endAfter(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * 86_400_000);
}
