import {
  allOf,
  type Described,
  type DescribedOption,
  type DescribedValue,
  firstSentence,
} from "./described.ts";

/** Completion for zsh: one function per command, on zsh's `_arguments`. */
export function zshCompletion(program: Described): string {
  return `#compdef ${program.name}
# zsh completion for ${program.name}, made by: ${program.name} completion zsh

${allOf(program).map(functionOf).join("\n")}
if [[ \${funcstack[1]} == _${program.name} ]]; then
  _${program.name} "$@"
else
  compdef _${program.name} ${program.name}
fi
`;
}

function functionOf(described: Described): string {
  const { commands, options } = described;
  const own = options.map((option) => single(optionSpec(option)));
  const specs =
    commands.length > 0 ? [...own, "'1: :->command'", "'*:: :->rest'"] : [...own, ...places(described)];
  const lines = [`  _arguments ${["-S", ...specs].join(" \\\n    ")}`];
  if (commands.length > 0) lines.unshift("  local state line");
  if (commands.length > 0) lines.push(dispatch(described));
  return `${nameOf(described)}() {\n${lines.join("\n")}\n}\n`;
}

function dispatch(described: Described): string {
  const offered = described.commands.map(({ name, description }) =>
    single(`${name}:${colons(firstSentence(description))}`),
  );
  const cases = described.commands.map((below) => `        ${below.name}) ${nameOf(below)} ;;`);
  return `  case $state in
    command)
      local -a commands=(
        ${offered.join("\n        ")}
      )
      _describe command commands ;;
    rest)
      case $line[1] in
${cases.join("\n")}
      esac ;;
  esac`;
}

/** `--flag=` takes its value after the sign or as the next word. */
function optionSpec(option: DescribedOption): string {
  const { long, placeholder, description } = option;
  const explained = `[${firstSentence(description).replace(/[[\]\\]/g, "\\$&")}]`;
  return placeholder === ""
    ? `${long}${explained}`
    : `${long}=${explained}:${bare(placeholder)}:${action(option)}`;
}

function places({ arguments: given }: Described): string[] {
  return given.map((argument, index) =>
    single(`${argument.variadic ? "*" : index + 1}:${bare(argument.placeholder)}:${action(argument)}`),
  );
}

function action({ choices, isFile }: DescribedValue): string {
  return isFile ? "_files" : choices.length > 0 ? `(${choices.join(" ")})` : " ";
}

function nameOf({ path }: Described): string {
  return `_${path.replaceAll(" ", "_")}`;
}

function bare(placeholder: string): string {
  return placeholder.replace(/[<>[\].]/g, "");
}

function colons(text: string): string {
  return text.replaceAll(":", "\\:");
}

function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
