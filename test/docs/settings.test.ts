import { expect, test } from "bun:test";
import { SETTINGS_PAGE, settingsPage } from "../../docs/write-settings.ts";

test("docs/settings.md is what the settings themselves say (npm run docs)", async () => {
  expect(await Bun.file(SETTINGS_PAGE).text()).toBe(settingsPage());
});
