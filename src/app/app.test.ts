import { describe, expect, test } from "bun:test";
import { readConfig } from "../config/read-config.ts";
import type { Database } from "../database/database.ts";
import { Router } from "../http/router.ts";
import { createFirstRoutes, createRoutes } from "./app.ts";

const database = {} as Database;

describe("The routes that a server has before everything is loaded", () => {
  test("hide none of the others", async () => {
    const config = readConfig({});
    const first = createFirstRoutes({ config, database });
    const router = new Router(first);
    const later = Object.keys(await createRoutes({ config, database })).filter((path) => !(path in first));
    expect(later.length).toBeGreaterThan(100);
    expect(later.filter((path) => router.match(path) !== undefined)).toEqual([]);
  });

  test("are the same in the end", async () => {
    const config = readConfig({});
    const whole = await createRoutes({ config, database });
    for (const [path, resource] of Object.entries(createFirstRoutes({ config, database })))
      expect({ path, methods: Object.keys(whole[path] ?? {}) }).toEqual({
        path,
        methods: Object.keys(resource),
      });
  });
});
