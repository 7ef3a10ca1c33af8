import type { Completed, CompletedCommand, CompletedOption, Value } from './words.js';

/** Lines of fish's `complete`: https://fishshell.com/docs/current/cmds/complete.html */
export const fishScript = ({ program, options, commands }: Completed): string =>
  [
    `# ${program} completion for fish: ${program} completion fish > ~/.config/fish/completions/${program}.fish`,
    `complete -c ${program} -f`,
    ...options.map((option) => lineOf(program, '__fish_use_subcommand', option)),
    ...commands.flatMap((command) => commandLines(program, command)),
    '',
  ].join('\n');

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function takes(value: Value): string {
  if (value.kind === 'word') return ` -x -a ${quoted(value.words.join(' '))}`;
  return { file: ' -r -F', text: ' -x', none: '' }[value.kind];
}

function lineOf(program: string, when: string, { flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return `complete -c ${program} -n ${quoted(when)} ${names.join(' ')}${takes(value)} -d ${quoted(description)}`;
}

function commandLines(program: string, { name, description, options, argument }: CompletedCommand): string[] {
  const inside = `__fish_seen_subcommand_from ${name}`;
  const words = argument?.kind === 'word' ? ` -a ${quoted(argument.words.join(' '))}` : ' -F';
  return [
    `complete -c ${program} -n '__fish_use_subcommand' -a ${name} -d ${quoted(description)}`,
    ...(argument ? [`complete -c ${program} -n ${quoted(inside)}${words}`] : []),
    ...options.map((option) => lineOf(program, inside, option)),
  ];
}
