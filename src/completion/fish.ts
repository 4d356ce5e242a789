import {
  allOf,
  type Described,
  type DescribedOption,
  type DescribedValue,
  firstSentence,
} from "./described.ts";

/** Completion for fish. */
export function fishCompletion(program: Described): string {
  const all = allOf(program);
  const at = `__${program.name}_at`;
  return `# fish completion for ${program.name}, made by: ${program.name} completion fish

function ${at} --description 'Whether the words so far lead to this command'
    set -l words (commandline -opc)
    set -l at ${program.name}
    for word in $words[2..]
        switch "$at $word"
            case ${all
              .slice(1)
              .map(({ path }) => single(path))
              .join(" ")}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end

complete -c ${program.name} -f
${all.flatMap((described) => linesOf(program.name, at, described)).join("\n")}
`;
}

function linesOf(
  name: string,
  at: string,
  { path, commands, options, arguments: given }: Described,
): string[] {
  const when = `complete -c ${name} -n ${single(`${at} ${single(path)}`)}`;
  return [
    ...commands.map((below) => `${when} -a ${below.name} -d ${single(firstSentence(below.description))}`),
    ...given.filter(offers).map((argument) => `${when} ${taken(argument)}`),
    ...options.map(
      (option) => `${when} ${optionWords(option)} -d ${single(firstSentence(option.description))}`,
    ),
  ];
}

function optionWords(option: DescribedOption): string {
  const names = [option.short && `-s ${option.short.slice(1)}`, `-l ${option.long.slice(2)}`].filter(Boolean);
  if (option.placeholder === "") return names.join(" ");
  return [...names, option.isFile ? "-r -F" : "-x", offers(option) && !option.isFile && taken(option)]
    .filter(Boolean)
    .join(" ");
}

function taken({ choices, isFile }: DescribedValue): string {
  return isFile ? "-F" : `-a ${single(choices.join(" "))}`;
}

function offers({ choices, isFile }: DescribedValue): boolean {
  return isFile || choices.length > 0;
}

function single(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
