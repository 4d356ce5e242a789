import type { Argument, Command, Option } from "commander";
import { flagName, settingKeys, settings } from "../config.ts";

/** A command as people see it in its help. */
export interface Described {
  /** Its name and those of the commands that it belongs to, such as `commonplace account add`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly DescribedArgument[];
  readonly options: readonly DescribedOption[];
  readonly commands: readonly Described[];
}

export interface DescribedValue {
  /** As it is written, `<file>` or `[command]`; empty for an option without a value. */
  readonly placeholder: string;
  readonly description: string;
  /** The values that there are, when they can be listed. */
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
 * Takes from a command what completions and the manual page are made of: what its `--help` says.
 *
 * @param above the path of the command that it belongs to
 * @param beside the names of the commands beside it, which `help` explains
 */
export function describe(command: Command, above = "", beside: readonly string[] = []): Described {
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
      describedArgument(argument, command.name() === "help" ? beside : []),
    ),
  };
}

/** The command and all below it, itself first. */
export function allOf(described: Described): Described[] {
  return [described, ...described.commands.flatMap(allOf)];
}

/** What fits beside a choice in a shell. */
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

/** @param known the values that there are, when the argument does not tell them itself */
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
