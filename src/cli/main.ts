#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { CommanderError } from '@commander-js/extra-typings';
import { neededBy, program } from './program.js';
import { endProgress } from './progress.js';
import { UsageError } from './usage-error.js';

/** What a command loads is compiled once on a machine, from Node 22.1 on: https://nodejs.org/api/module.html#module-compile-cache */
(process.getBuiltinModule('node:module') as { readonly enableCompileCache?: () => void }).enableCompileCache?.();

const FAILURE = 1;
const WRONG_USAGE = 2;

async function main(args: readonly string[]): Promise<number> {
  try {
    await (await program(neededBy(args))).parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return report(error as Error, args);
  } finally {
    endProgress();
  }
}

function report(error: Error, args: readonly string[]): number {
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  endProgress();
  if (error instanceof CommanderError && error.code === 'commander.help') return WRONG_USAGE;
  const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  process.stderr.write(`sardonyx: ${message}${error instanceof CommanderError ? advice(error, args) : ''}\n`);
  if (args.includes('--debug')) process.stderr.write(`${error.stack}\n`);
  return isUsage ? WRONG_USAGE : FAILURE;
}

/** Where to read what would have been right. */
function advice({ code }: CommanderError, args: readonly string[]): string {
  const [first = ''] = args;
  if (code !== 'commander.unknownCommand') return `; see sardonyx ${first.startsWith('-') ? '' : `${first} `}--help`;
  const isModel = /\.onnx$/i.test(first) || existsSync(first);
  return isModel ? ` (did you mean "sardonyx run ${first}"?)` : '; see sardonyx --help';
}

/** Whoever reads the output has seen enough. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });

main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
