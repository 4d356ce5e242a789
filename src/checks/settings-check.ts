import { type SettingKey, variableName } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import { InvalidSettings, messageOf } from "../errors.ts";
import { socketPathOf } from "../http/unix-socket.ts";
import { type Finding, problemsOr } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Partial<Record<SettingKey, string>>>;

const WITHOUT_PROXY =
  "PUBLIC_URL is set and TRUSTED_PROXIES is not: behind a proxy, all clients count as one, so that one of them can use up the limits of all";

/** Reads all settings as the server would, and reports all errors at once. */
export function checkSettings(environment: Environment, flags: Flags): Finding[] {
  try {
    const config = readConfig(environment, flags);
    const given = [...config.given].map(variableName);
    const set = given.length === 0 ? "all have their default values" : `set: ${given.join(", ")}`;
    const proxy: Finding = { check: "settings", status: "note", detail: WITHOUT_PROXY };
    const lacksProxy =
      config.publicUrl !== undefined &&
      config.trustedProxies.length === 0 &&
      socketPathOf(config.host) === undefined;
    return [...problemsOr("settings", [], set), ...(lacksProxy ? [proxy] : [])];
  } catch (error) {
    if (error instanceof InvalidSettings) return problemsOr("settings", error.errors.map(messageOf), "");
    throw error;
  }
}
