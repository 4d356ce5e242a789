import type { Argument, Command, Option } from "commander";
import { flagName, settingKeys, settings } from "../config/config.ts";

/** A command as its help describes it. */
export interface Described {
  /** Its name after those of its parents, such as `commonplace account add`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly DescribedArgument[];
  readonly options: readonly DescribedOption[];
  readonly commands: readonly Described[];
}

export interface DescribedValue {
  /** Its notation, `<file>` or `[command]`; empty for an option without a value. */
  readonly placeholder: string;
  readonly description: string;
  /** All possible values, when they can be listed. */
  readonly choices: readonly string[];
  /** Whether it names a file. */
  readonly isFile: boolean;
}

export interface DescribedArgument extends DescribedValue {
  readonly variadic: boolean;
}

export interface DescribedOption extends DescribedValue {
  readonly short: string | undefined;
  readonly long: string;
}

/**
 * Extracts the data for completions and the manual page from a command: the contents of its `--help`.
 *
 * @param above the path of its parent command
 * @param siblings the names of its sibling commands, which `help` explains
 */
export function describe(command: Command, above = "", siblings: readonly string[] = []): Described {
  const help = command.createHelp();
  const path = `${above} ${command.name()}`.trimStart();
  const below = help.visibleCommands(command);
  const names = below.map((each) => each.name());
  const commands = below.map((each) => describe(each, path, names));
  return {
    path,
    name: command.name(),
    description: command.description(),
    commands,
    options: help
      .visibleOptions(command)
      .flatMap((option) => describedOption(option, help.optionDescription(option))),
    arguments: command.registeredArguments.map((argument) =>
      describedArgument(argument, command.name() === "help" ? siblings : []),
    ),
  };
}

/** The command and all its subcommands, itself first. */
export function allOf(described: Described): Described[] {
  return [described, ...described.commands.flatMap(allOf)];
}

/** The first sentence, which fits beside a choice in a shell. */
export function firstSentence(description: string): string {
  return /^.*?(?=[.:;](?: |$)| \()/.exec(description)?.[0] ?? description;
}

function describedOption(option: Option, description: string): DescribedOption[] {
  if (option.long === undefined || option.long === null) return [];
  const [placeholder = ""] = /[<[][^>\]]+[>\]]$/.exec(option.flags) ?? [];
  return [
    {
      short: option.short ?? undefined,
      long: option.long,
      placeholder,
      description,
      choices: placeholder === "" ? [] : (option.argChoices ?? settingChoices(option.long)),
      isFile: namesFile(placeholder),
    },
  ];
}

/** @param known all possible values, when the argument does not list them itself */
function describedArgument(argument: Argument, known: readonly string[]): DescribedArgument {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  const placeholder = argument.required ? `<${name}>` : `[${name}]`;
  return {
    placeholder,
    description: argument.description,
    choices: argument.argChoices ?? known,
    isFile: namesFile(placeholder),
    variadic: argument.variadic,
  };
}

function settingChoices(flag: string): readonly string[] {
  const key = settingKeys.find((key) => flagName(key) === flag);
  return (key && settings[key].parse.choices) ?? [];
}

function namesFile(placeholder: string): boolean {
  return /file|path|folder/i.test(placeholder);
}
