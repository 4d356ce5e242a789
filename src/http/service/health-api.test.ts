import { describe, expect, test } from "bun:test";
import { startApp } from "../../../test/support/server/app.ts";
import { Refusal } from "../../errors.ts";
import type { Call } from "../endpoint.ts";
import { healthApi } from "./health-api.ts";

describe("healthApi", () => {
  test("is ready while the database is, and always alive", async () => {
    const { database, close } = await startApp();
    let trouble: Error | undefined;
    const ready = () => (trouble === undefined ? database.ready() : Promise.reject(trouble));
    const api = healthApi(Object.assign(Object.create(database), { ready, obstacle: () => undefined }));
    const get = async (path: string) => await api[path]?.GET?.handle({} as Call);
    expect(await get("/readyz")).toMatchObject({ status: 200 });
    trouble = new Refusal("unavailable", "The database is away.");
    await expect(get("/readyz")).rejects.toBe(trouble);
    expect(await get("/healthz")).toMatchObject({ status: 200 });
    await close();
  });
});
