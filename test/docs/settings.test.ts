import { expect, test } from "bun:test";
import { SETTINGS_PAGE, settingsPage } from "../../docs/write-settings.ts";

test("docs/settings.md is up to date (npm run docs)", async () => {
  expect(await Bun.file(SETTINGS_PAGE).text()).toBe(settingsPage());
});
