import { flagName, settingKeys, settings, variableName } from "../config.ts";
import { VERSION } from "../version.ts";
import { allOf, type Described } from "./described.ts";

/** The manual page, in the language of man(7). */
export function manualPage(program: Described): string {
  const [, ...commands] = allOf(program);
  const lines = [
    `.\\" Made by "npm run docs" of the commands and settings themselves.`,
    `.TH ${program.name.toUpperCase()} 1 "" "${program.name} ${VERSION}" "User Commands"`,
    section("Name"),
    `${program.name} \\- ${plain(program.description.replace(/\.$/, ""))}`,
    section("Synopsis"),
    `.B ${program.name}`,
    `.I command`,
    `.RI [ options ]`,
    section("Description"),
    plain(
      "A server for bookmarks and blog posts. `serve` runs it; the other commands work on the same database, most of them while the server is running.",
    ),
    section("Commands"),
    ...commands.filter(isLeaf).flatMap(commandLines),
    section("Environment"),
    plain(
      `Each setting is an environment variable and an option of ${program.name} serve, which wins. An empty value counts as none.`,
    ),
    ...settingKeys.flatMap(settingLines),
    section("Exit status"),
    ...item("0", "Success."),
    ...item("1", "Failure: a file, a port or the database cannot be used."),
    ...item("2", "Usage error or invalid setting."),
    section("See also"),
    plain("The documentation of a running server, at its path /docs."),
  ];
  return `${lines.join("\n")}\n`;
}

/** A command with an action of its own. */
function isLeaf({ name, commands }: Described): boolean {
  return commands.length === 0 && name !== "help";
}

function commandLines({ path, description, arguments: given, options }: Described): string[] {
  const [, ...names] = path.split(" ");
  const ofServe = new Set(path.endsWith(" serve") ? settingKeys.map(flagName) : []);
  return [
    `.SS ${plain([...names, ...given.map(({ placeholder }) => placeholder)].join(" "))}`,
    plain(description),
    ...(ofServe.size > 0
      ? [".PP", plain("Each setting below is an option: PUBLIC_URL is --public-url.")]
      : []),
    ...given
      .filter(({ description }) => description !== "")
      .flatMap(({ placeholder, description }) =>
        item(`\\fI${plain(placeholder.replace(/[<>]/g, ""))}\\fR`, description),
      ),
    ...options
      .filter(({ long }) => !ofServe.has(long) && long !== "--help")
      .flatMap(({ short, long, placeholder, description }) => {
        const names = [short, long]
          .filter((name) => name !== undefined)
          .map((name) => `\\fB${plain(name)}\\fR`);
        const value = placeholder === "" ? "" : ` \\fI${plain(placeholder.replace(/[<>]/g, ""))}\\fR`;
        return item(`${names.join(", ")}${value}`, description);
      }),
  ];
}

function settingLines(key: (typeof settingKeys)[number]): string[] {
  const { meaning, values, secret, default: preset } = settings[key];
  const name = variableName(key);
  const from = secret ? ` Or ${name}_FILE, a file that contains it.` : "";
  const otherwise = preset === "" ? "" : ` Default: ${preset}.`;
  return item(`\\fB${plain(name)}\\fR`, `${meaning} Values: ${values}.${otherwise}${from}`);
}

function section(title: string): string {
  return `.SH ${title.toUpperCase()}`;
}

/** @param tag in the language of man(7) */
function item(tag: string, text: string): string[] {
  return [".TP", tag, plain(text)];
}

/** Escaped text; code in backticks becomes bold. */
function plain(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/`([^`]+)`/g, "\\fB$1\\fR")
    .replace(/^(?=[.'])/gm, "\\&");
}
