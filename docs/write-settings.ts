import { join } from "node:path";
import { flagName, settingKeys, settings, variableName } from "../src/config.ts";

/** Where the table of settings stands. */
export const SETTINGS_PAGE = join(import.meta.dir, "settings.md");

/** docs/settings.md, made of the settings themselves. */
export function settingsPage(): string {
  const rows = settingKeys.map((key) => {
    const { default: preset, values, meaning, secret } = settings[key];
    const file = secret ? `; or \`${variableName(key)}_FILE\`, a file that holds it` : "";
    return `| \`${variableName(key)}\` | ${preset === "" ? "" : `\`${preset}\``} | ${meaning} (${values}${file}) |`;
  });
  return `# Settings

Made from \`src/config.ts\` by \`npm run docs\`.

Each setting is an environment variable and a flag of \`commonplace serve\`: \`${variableName("bookmarksAccess")}=read\` and
\`${flagName("bookmarksAccess")} read\` mean the same, and the flag wins. An empty value counts as none. A wrong one
ends the start with one line that names it, and exit code 2.

| setting | default | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

if (import.meta.main) await Bun.write(SETTINGS_PAGE, settingsPage());
