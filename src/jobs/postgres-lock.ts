import { fragment } from "../database/fragment.ts";

/** Skips rows that another transaction is leasing, instead of waiting for them. */
export const SKIP_LOCKED = fragment`for update skip locked`;
