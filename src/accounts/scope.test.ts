import { describe, expect, test } from "bun:test";
import { accessOf } from "./scope.ts";

describe("Access", () => {
  /** Whether an anonymous caller may read and write. */
  const SETTINGS = { open: [true, true], read: [true, false], private: [false, false] } as const;

  for (const [setting, [mayRead, mayWrite]] of Object.entries(SETTINGS))
    for (const service of ["bookmarks", "posts"] as const)
      test(`to ${service} set to ${setting} lets anyone read: ${mayRead}, write: ${mayWrite}`, () => {
        expect(accessOf(setting as keyof typeof SETTINGS, service)).toEqual({
          readAccess: { scope: `${service}:read`, anonymous: mayRead },
          writeAccess: { scope: `${service}:write`, anonymous: mayWrite },
        });
      });
});
