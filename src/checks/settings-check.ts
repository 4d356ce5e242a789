import { type SettingKey, variableName } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import { InvalidSettings, messageOf } from "../errors.ts";
import { type Finding, problemsOr } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Partial<Record<SettingKey, string>>>;

/** Reads all settings as the server would, and reports all errors at once. */
export function checkSettings(environment: Environment, flags: Flags): Finding[] {
  try {
    const given = [...readConfig(environment, flags).given].map(variableName);
    const set = given.length === 0 ? "all have their default values" : `set: ${given.join(", ")}`;
    return problemsOr("settings", [], set);
  } catch (error) {
    if (error instanceof InvalidSettings) return problemsOr("settings", error.errors.map(messageOf), "");
    throw error;
  }
}
