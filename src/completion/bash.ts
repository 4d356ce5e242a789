import { allOf, type Described, type DescribedValue } from "./described.ts";

/**
 * Completion for bash 4 and later. Self-contained: it needs no helper functions of a distribution and does not
 * start the program at each key press.
 */
export function bashCompletion(program: Described): string {
  const all = allOf(program);
  const branches = [
    ...all.flatMap(({ path, options }) =>
      options.filter(offers).map((option) => branch(`${path} ${option.long}`, offer(option))),
    ),
    ...all.map(({ path, options }) =>
      branch(`${path} -`, `words=${quoted(options.map(({ long }) => long).join(" "))}`),
    ),
    ...all.flatMap((described) => places(described)),
  ];
  return `# bash completion for ${program.name}, made by: ${program.name} completion bash

_${program.name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at=${program.name} place=0 option= words= files= word index
  # The shell splits --flag=value at the sign.
  [[ $cur == = ]] && cur=
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    [[ $word == = ]] && continue
    if [[ -n $option ]]; then option=; continue; fi
    case "$at $word" in
      ${alternatives(all.slice(1).map(({ path }) => path))}) at="$at $word" place=0 ;;
      ${alternatives(all.flatMap(withValue))}) option=$word ;;
      *" -"*) ;;
      *) place=$((place + 1)) ;;
    esac
  done
  case "$at $option" in
    *" -"*) ;;
    *) if [[ $cur == -* ]]; then option=-; else option=$place; fi ;;
  esac
  case "$at $option" in
${branches.map((line) => `    ${line}`).join("\n")}
  esac
  COMPREPLY=()
  if [[ -n $files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  elif [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}
complete -F _${program.name} ${program.name}
`;
}

/** The words possible at each position: subcommands at the first, or the command's own arguments. */
function places({ path, commands, arguments: given }: Described): string[] {
  if (commands.length > 0)
    return [branch(`${path} 0`, `words=${quoted(commands.map(({ name }) => name).join(" "))}`)];
  return given.flatMap((argument, index) =>
    offers(argument)
      ? [branch(argument.variadic ? `${path} [0-9]*` : `${path} ${index}`, offer(argument))]
      : [],
  );
}

function offers({ placeholder, choices, isFile }: DescribedValue): boolean {
  return placeholder !== "" && (isFile || choices.length > 0);
}

function offer({ choices, isFile }: DescribedValue): string {
  return isFile ? "files=yes" : `words=${quoted(choices.join(" "))}`;
}

function branch(pattern: string, then: string): string {
  return `${pattern.endsWith("[0-9]*") ? `"${pattern.slice(0, -6)}"[0-9]*` : quoted(pattern)}) ${then} ;;`;
}

function withValue({ path, options }: Described): string[] {
  return options.filter(({ placeholder }) => placeholder !== "").map(({ long }) => `${path} ${long}`);
}

function alternatives(patterns: readonly string[]): string {
  return patterns.map(quoted).join(" | ");
}

function quoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}
