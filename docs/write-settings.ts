import { join } from "node:path";
import {
  flagName,
  SETTING_GROUPS,
  type SettingGroup,
  settingKeys,
  settings,
  variableName,
} from "../src/config/config.ts";

/** The page of all settings. */
export const SETTINGS_PAGE = join(import.meta.dir, "settings.md");

const groups = Object.entries(SETTING_GROUPS) as [SettingGroup, string][];

/** docs/settings.md, generated from the settings. */
export function settingsPage(): string {
  return `# Settings

Each setting is an environment variable and a flag of \`commonplace serve\`: \`${variableName("bookmarksAccess")}=read\` and
\`${flagName("bookmarksAccess")} read\` mean the same, and the flag takes precedence. An empty value means the
default. With invalid values the server does not start: it prints one line for each of them, and exits with 2.
A secret can also stand in a file, which overrides it: \`${variableName("databaseUrl")}_FILE\` names it.

${groups.map(([group, title]) => section(group, title)).join("\n")}
This page is generated from \`src/config/config.ts\` by \`npm run docs\`.
`;
}

function section(group: SettingGroup, title: string): string {
  const rows = settingKeys
    .filter((key) => settings[key].group === group)
    .map((key) => {
      const { default: preset, values, meaning, secret } = settings[key];
      const file = secret ? " (a secret)" : "";
      return `| \`${variableName(key)}\` | ${preset === "" ? "" : `\`${preset}\``} | ${meaning} | ${values}${file} |`;
    });
  return `## ${title}

| setting | default | meaning | values |
|---|---|---|---|
${rows.join("\n")}
`;
}

if (import.meta.main) await Bun.write(SETTINGS_PAGE, settingsPage());
