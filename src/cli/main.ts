import { existsSync } from 'node:fs';
import { CommanderError } from '@commander-js/extra-typings';
import type { SardonyxError } from '../base/errors.js';
import { env } from '../session/options.js';
import { type Host, type Io, openIo } from './io.js';
import { neededBy, program } from './program.js';
import { inWords } from './system-errors.js';
import { UsageError } from './usage-error.js';

const FAILURE = 1;
const WRONG_USAGE = 2;

/** Runs a command line and leaves the process as it was, so that several can run one after another. */
export async function main(args: readonly string[], host: Host): Promise<number> {
  const io = openIo(host);
  const { variant } = env.wasm;
  try {
    await (await program(io, neededBy(args))).parseAsync(args, { from: 'user' });
    return io.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return report(io, error as Error, args);
  } finally {
    io.endProgress();
    env.wasm.variant = variant;
  }
}

function report(io: Io, error: Error, args: readonly string[]): number {
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  if (error instanceof CommanderError && error.code === 'commander.help') return WRONG_USAGE;
  const message = inWords(error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '));
  io.note(`sardonyx: ${message}${error instanceof CommanderError ? advice(error, args) : ''}`);
  if (args.includes('--debug'))
    io.note([error.stack, (error as Partial<SardonyxError>).help].filter(Boolean).join('\n'));
  return isUsage ? WRONG_USAGE : FAILURE;
}

/** Points to the help, or to the command that was probably meant. */
function advice({ code }: CommanderError, args: readonly string[]): string {
  const [first = ''] = args;
  if (code !== 'commander.unknownCommand') return `; see sardonyx ${first.startsWith('-') ? '' : `${first} `}--help`;
  const isModel = /\.onnx$/i.test(first) || existsSync(first);
  return isModel ? ` (did you mean "sardonyx run ${first}"?)` : '; see sardonyx --help';
}
