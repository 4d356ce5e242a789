import { expect, test } from "bun:test";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { makeAccount } from "../../support/records/accounts.ts";
import { PASSWORD, WRONG } from "../../support/requests/sign-in.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("A browser that has signed in before", (service) => {
  async function start() {
    // Waiting ends by this clock: it does not pass while passwords are checked.
    const app = await service.startApp({}, new StoppedClock());
    await makeAccount(app.database, "ada", PASSWORD);
    await makeAccount(app.database, "bob", PASSWORD);
    const signIn = (username: string, password: string, cookie = "") =>
      app.request("/sign-in", {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin", cookie },
        body: new URLSearchParams({ username, password }),
      });
    const known = async () => {
      const cookies = (await signIn("ada", PASSWORD)).headers.getSetCookie();
      return cookies.find((cookie) => cookie.startsWith("commonplace_known="))?.split(";")[0] ?? "";
    };
    return { signIn, known };
  }

  test("is not locked out by the failures of others who seem to have its address", async () => {
    const { signIn, known } = await start();
    const cookie = await known();
    for (let n = 0; n < 9; n++) await signIn("ada", WRONG);
    expect((await signIn("ada", PASSWORD)).status).toBe(429);
    expect((await signIn("ada", PASSWORD, cookie)).status).toBe(303);
  });

  test("has a limit of its own, and only for the account of its cookie", async () => {
    const { signIn, known } = await start();
    const cookie = await known();
    for (let n = 0; n < 6; n++) await signIn("ada", WRONG, cookie);
    expect((await signIn("ada", PASSWORD, cookie)).status).toBe(429);
    expect((await signIn("ada", PASSWORD)).status).toBe(303);
    for (let n = 0; n < 6; n++) await signIn("bob", WRONG);
    for (const other of [cookie, `${cookie}x`, "commonplace_known=a.b"])
      expect((await signIn("bob", PASSWORD, other)).status).toBe(429);
  });
});
