import type { Argument, Command, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** Candidates for a value: words, files, free text without candidates, or none for a flag. */
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
  /** Candidates for its arguments; null for a command without arguments. */
  readonly argument: Value | null;
}

export interface Completed {
  readonly program: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

const FILES = /file|folder|model/;

/** Derives completions from the declared commands and options. */
export function completedBy(program: Command): Completed {
  const common = optionsOf(program).filter(({ flags }) => !flags.includes('--version'));
  return {
    program: program.name(),
    options: optionsOf(program),
    commands: visibleCommands(program).map((command) => ({
      name: command.name(),
      description: command.summary(),
      options: [...optionsOf(command), ...common.filter(({ flags }) => !flags.includes('--help'))],
      argument: argumentOf(command.registeredArguments[0]),
    })),
  };
}

/** The commands except hidden ones and the "help" command that commander adds. */
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

/** Suggestions for options that also accept other values. */
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
