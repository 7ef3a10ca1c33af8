#!/usr/bin/env node
import { Command, CommanderError, type Option } from '@commander-js/extra-typings';
import { version } from '../../package.json';
import { benchCommand } from './commands/bench.js';
import { compareCommand } from './commands/compare.js';
import { inspectCommand } from './commands/inspect.js';
import { optimizeCommand } from './commands/optimize.js';
import { runCommand } from './commands/run.js';
import { verifyCommand } from './commands/verify.js';
import { endProgress } from './progress.js';
import { concerning, UsageError } from './usage-error.js';

const FAILURE = 1;
const WRONG_USAGE = 2;

const EXAMPLES = `
Examples:
  sardonyx inspect model.onnx
  sardonyx run classifier.onnx --input photo.jpg --normalize imagenet --labels labels.txt
  sardonyx verify mobilenet_v2
  sardonyx bench model.onnx --profile

Exit status: 0 done, 1 failed or out of tolerance, 2 wrong usage.`;

export function program(): Command {
  const sardonyx = new Command('sardonyx')
    .description('Runs ONNX models on WebAssembly kernels.')
    .version(version)
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', EXAMPLES);
  for (const command of [runCommand, inspectCommand, verifyCommand, compareCommand, benchCommand, optimizeCommand])
    sardonyx.addCommand(command);
  for (const command of [sardonyx, ...sardonyx.commands]) {
    command
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .configureHelp({ showGlobalOptions: true });
    for (const option of command.options) nameInErrors(option);
  }
  return sardonyx;
}

/** Lets whatever an option's parser refuses begin with the option as it was typed. */
function nameInErrors(option: Option): void {
  const { parseArg } = option;
  if (!parseArg || option.argChoices) return;
  option.parseArg = (text, earlier) => concerning(`${option.long} ${text}`, () => parseArg(text, earlier));
}

async function main(args: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return report(error as Error, args.includes('--debug'));
  } finally {
    endProgress();
  }
}

function report(error: Error, debug: boolean): number {
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  endProgress();
  if (error instanceof CommanderError && error.code === 'commander.help') return WRONG_USAGE;
  process.stderr.write(`sardonyx: ${message}\n`);
  if (debug) process.stderr.write(`${error.stack}\n`);
  return isUsage ? WRONG_USAGE : FAILURE;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
