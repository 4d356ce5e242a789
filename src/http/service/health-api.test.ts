import { describe, expect, test } from "bun:test";
import { startApp } from "../../../test/support/server/app.ts";
import { Refusal } from "../../errors.ts";
import { healthApi } from "./health-api.ts";

describe("healthApi", () => {
  test("is ready while the database is, and always alive", async () => {
    const { database, close } = await startApp();
    let trouble: Error | undefined;
    const ready = () => (trouble === undefined ? database.ready() : Promise.reject(trouble));
    const api = healthApi(Object.assign(Object.create(database), { ready, obstacle: () => undefined }));
    const call = {} as Parameters<typeof api.ready.handle>[0];
    expect(await api.ready.handle(call)).toMatchObject({ status: 200 });
    trouble = new Refusal("unavailable", "The database is away.");
    await expect(Promise.resolve(api.ready.handle(call))).rejects.toBe(trouble);
    expect(await api.live.handle(call)).toMatchObject({ status: 200 });
    await close();
  });
});
