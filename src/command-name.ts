import { existsSync } from "node:fs";
import { basename, delimiter, dirname, resolve } from "node:path";

/**
 * How this program is called in a shell: npm does not put it on the PATH, so that it is `npx commonplace` under
 * `npm start` and `npx`. Npm sets the variable for what it starts.
 */
export function commandName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.npm_execpath === undefined ? "commonplace" : "npx commonplace";
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variable with the path by which bin/commonplace was called. */
const CALLED_AS = "COMMONPLACE_CALLED_AS";

/** @returns the words that call this program: by its name only where the shell finds it by that */
export function program(environment: Environment): string[] {
  const isExecutable = basename(process.execPath) === "commonplace";
  const calledAs = environment[CALLED_AS] ?? (isExecutable ? process.execPath : "commonplace");
  if (environment.npm_lifecycle_event === "npx") return ["npx", "commonplace"];
  const isOnPath = (environment.PATH ?? "").split(delimiter).includes(dirname(calledAs));
  return [isOnPath ? basename(calledAs) : calledAs];
}

/** How its owner calls it for this server: from outside, if the server runs in a container of our image. */
export function commandForThisServer(): string {
  return isInContainer() ? IN_CONTAINER.join(" ") : commandName();
}

const IN_CONTAINER = ["docker", "exec", "commonplace", "commonplace"];

function isInContainer(): boolean {
  const isContainer = existsSync("/.dockerenv") || existsSync("/run/.containerenv");
  return isContainer && basename(process.execPath) === "commonplace";
}

/**
 * The command line that makes a welcome link for this server, in another shell and folder: with the settings of the server that
 * decide about it, whether they came from flags or from the environment. For people on this machine only. A password is left out.
 * @param port where the server listens, if it is known
 */
export function welcomeCommandLine(
  port?: string,
  {
    argv = process.argv,
    env = process.env,
  }: { readonly argv?: readonly string[]; readonly env?: Environment } = {},
): string {
  const inContainer = isInContainer();
  // What is started there has its environment, too.
  const given = (flag: string, name: string) => {
    const [, value = inContainer ? "" : env[name]] = givenFlags(argv, flag);
    return value ? [flag, withoutPassword(absolute(value))] : [];
  };
  const file = inContainer ? undefined : env.DATABASE_URL_FILE;
  const publicUrl = given("--public-url", "PUBLIC_URL");
  const words = [
    ...(inContainer ? IN_CONTAINER : programElsewhere(env)),
    "welcome",
    ...(file && givenFlags(argv, "--database-url").length === 0
      ? []
      : given("--database-url", "DATABASE_URL")),
    ...(publicUrl.length > 0 ? publicUrl : port === undefined ? given("--port", "PORT") : ["--port", port]),
  ];
  const line = words.map(quoted).join(" ");
  return file && !words.includes("--database-url")
    ? `DATABASE_URL_FILE=${quoted(resolve(file))} ${line}`
    : line;
}

/** As {@link program}, for a shell in another folder. */
function programElsewhere(env: Environment): string[] {
  if (env[CALLED_AS] === undefined && basename(process.execPath) !== "commonplace")
    return commandName(env).split(" ");
  return program(env).map((word) => (word.includes("/") ? resolve(word) : word));
}

/** A relative path of a SQLite file is one of the folder in which the server was started. */
function absolute(value: string): string {
  return value.startsWith("sqlite:") ? `sqlite:${resolve(value.slice("sqlite:".length))}` : value;
}

function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/[^:@/]*):.*@/, "$1:PASSWORD@");
}

/**
 * Flags of a command line with their values, as words of another one. A password in a URL is left out.
 * @param words of the command line; of a flag that is there twice, the last one counts
 */
export function givenFlags(words: readonly string[], ...flags: readonly string[]): string[] {
  return flags.flatMap((flag) => {
    const given = words.flatMap((word, index) => {
      if (word === flag) return words.slice(index + 1, index + 2);
      return word.startsWith(`${flag}=`) ? [word.slice(flag.length + 1)] : [];
    });
    const value = given.at(-1);
    return value === undefined ? [] : [flag, withoutPassword(value)];
  });
}

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
