import type { Completed, CompletedCommand, CompletedOption, Value } from './words.js';

/** A function for zsh's completion system: https://zsh.sourceforge.io/Doc/Release/Completion-System.html */
export const zshScript = ({ program, options, commands }: Completed): string => `#compdef ${program}
# ${program} completion for zsh: source <(${program} completion zsh), or a file _${program} in a folder of $fpath
_${program}() {
  local line state
  _arguments -C ${options.map(specOf).join(' ')} '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, description }) => `        ${quoted(`${name}:${description}`)}`).join('\n')}
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
${commands.map(commandCase).join('\n')}
      esac
      ;;
  esac
}
# The value in NAME=FILE is a file.
_${program}_files() {
  compset -P '*='
  _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function actionOf(value: Value): string {
  if (value.kind === 'word') return `(${value.words.join(' ')})`;
  return value.kind === 'file' ? '_sardonyx_files' : '( )';
}

function specOf({ flags, description, value, isRepeatable }: CompletedOption): string {
  const about = description.replace(/[[\]:]/g, '\\$&');
  const argument = value.kind === 'none' ? '' : `:value:${actionOf(value)}`;
  const others = isRepeatable ? '*' : flags.length > 1 ? `(${flags.join(' ')})` : '';
  return flags
    .map((flag) => quoted(`${others}${flag}${argument && flag.startsWith('--') ? '=' : ''}[${about}]${argument}`))
    .join(' ');
}

function commandCase({ name, options, argument }: CompletedCommand): string {
  const specs = [...options.map(specOf), ...(argument ? [quoted(`*:argument:${actionOf(argument)}`)] : [])];
  return `        ${name}) _arguments ${specs.join(' \\\n          ')} ;;`;
}
