import type { Argument, Command, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** What may follow: one of these words, a file, nothing to be completed, or, after a flag, nothing at all. */
export type Value =
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'text' | 'none' };

export interface CompletedOption {
  /** `-o` and `--output`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly value: Value;
  readonly isRepeatable: boolean;
}

export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** What its arguments are; null where it takes none. */
  readonly argument: Value | null;
}

export interface Completed {
  readonly program: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

const FILES = /file|folder|model/;

/** What a shell can complete of a program, as its commands declare themselves. */
export function completedBy(program: Command): Completed {
  const common = optionsOf(program).filter(({ flags }) => !flags.includes('--version'));
  return {
    program: program.name(),
    options: optionsOf(program),
    commands: visibleCommands(program).map((command) => ({
      name: command.name(),
      description: command.description(),
      options: [...optionsOf(command), ...common.filter(({ flags }) => !flags.includes('--help'))],
      argument: argumentOf(command.registeredArguments[0]),
    })),
  };
}

/** Those that people type; "help" is one that commander adds. */
const visibleCommands = (program: Command): readonly CommandUnknownOpts[] => {
  const visible = program.createHelp().visibleCommands(program);
  return program.commands.filter((command) => visible.includes(command));
};

const optionsOf = (command: CommandUnknownOpts): CompletedOption[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      value: followerOf(option),
      isRepeatable: option.description.includes('(repeatable)'),
    }));

/** Words worth suggesting where others may stand too. */
const SUGGESTED: Readonly<Record<string, readonly string[]>> = {
  '--with': ['onnxruntime-node', 'onnxruntime-web'],
  '--capture': ['all'],
  '--values': ['all'],
};

function followerOf(option: Option): Value {
  if (!option.required && !option.optional) return { kind: 'none' };
  const words = option.argChoices ?? SUGGESTED[option.long ?? ''];
  if (words) return { kind: 'word', words };
  return { kind: FILES.test(option.flags) ? 'file' : 'text' };
}

function argumentOf(argument: Argument | undefined): Value | null {
  if (!argument) return null;
  return argument.argChoices ? { kind: 'word', words: argument.argChoices } : { kind: 'file' };
}
