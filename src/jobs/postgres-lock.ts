import { fragment } from "../database/fragment.ts";

/** Leaves out rows that another transaction is just leasing, instead of waiting for it. */
export const SKIP_LOCKED = fragment`for update skip locked`;
