import { type SettingKey, settingKeys, variableName } from "../config/config.ts";
import { readConfig, readSetting } from "../config/read-config.ts";
import { StartError } from "../errors.ts";
import { type Finding, problemsOr } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Partial<Record<SettingKey, string>>>;

/** Reads all settings as the server would, and reports all errors at once. */
export function checkSettings(environment: Environment, flags: Flags): Finding[] {
  const wrong = settingKeys.flatMap((key) => refusals(() => readSetting(key, environment, flags)));
  // Contradictions between settings can only be checked when each setting is valid.
  if (wrong.length === 0) wrong.push(...refusals(() => readConfig(environment, flags)));
  if (wrong.length > 0) return problemsOr("settings", wrong, "");
  const given = [...readConfig(environment, flags).given].map(variableName);
  return problemsOr(
    "settings",
    [],
    given.length === 0 ? "all have their default values" : `set: ${given.join(", ")}`,
  );
}

function refusals(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof StartError) return [error.message];
    throw error;
  }
}
