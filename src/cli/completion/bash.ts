import type { Completed, CompletedCommand, CompletedOption, Value } from './words.js';

/** A function for bash's `complete`. Bash splits at `=`: `--optimize=ba` and `x=photo` are three words each. */
export const bashScript = ({
  program,
  options,
  commands,
}: Completed): string => `# ${program} completion for bash: source <(${program} completion bash)
_${program}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) command= i
  COMPREPLY=()
  [[ $cur == = ]] && cur= at=$COMP_CWORD
  if [[ \${COMP_WORDS[at]} == = ]]; then
    ((at -= 1))
    [[ \${COMP_WORDS[at]} == -* ]] || ((at -= 1))
  fi
  local option=\${COMP_WORDS[at]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${commands.map(({ name }) => name).join(' | ')})
        command=\${COMP_WORDS[i]}
        break
        ;;
    esac
  done
  case "$command $option" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case $command in
${commands.map(commandCase).join('\n')}
    *) ${wordsOf([...commands.map(({ name }) => name), ...flagsOf(options)])} ;;
  esac
}
complete -F _${program} ${program}
`;

const flagsOf = (options: readonly CompletedOption[]): string[] => options.flatMap(({ flags }) => flags);

const wordsOf = (words: readonly string[]): string => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`;

const FILES = 'compopt -o filenames; local IFS=$\'\\n\'; COMPREPLY=($(compgen -f -- "$cur"))';

function candidates(value: Value): string {
  if (value.kind === 'word') return wordsOf(value.words);
  return value.kind === 'file' ? FILES : ':';
}

/** Cases for options with values, grouped by their candidates. */
function valueCases({ name, options }: CompletedCommand): string[] {
  const byCandidates = new Map<string, string[]>();
  for (const { flags, value } of options) {
    if (value.kind === 'none') continue;
    const known = byCandidates.get(candidates(value)) ?? [];
    byCandidates.set(candidates(value), [...known, ...flags.map((flag) => `"${name} ${flag}"`)]);
  }
  return [...byCandidates].map(([act, patterns]) => `    ${patterns.join(' | ')}) ${act}; return ;;`);
}

function commandCase({ name, options, argument }: CompletedCommand): string {
  const flags = wordsOf(flagsOf(options));
  const act = argument ? `if [[ $cur == -* ]]; then ${flags}; else ${candidates(argument)}; fi` : flags;
  return `    ${name}) ${act} ;;`;
}
