import { Command, type Option } from '@commander-js/extra-typings';
import { version } from '../../package.json';
import { benchCommand } from './commands/bench.js';
import { calibrateCommand } from './commands/calibrate.js';
import { checkCommand } from './commands/check.js';
import { compareCommand } from './commands/compare.js';
import { completionCommand } from './commands/completion.js';
import { conformanceCommand } from './commands/conformance.js';
import { convertCommand } from './commands/convert.js';
import { debugCommand } from './commands/debug.js';
import { diffCommand } from './commands/diff.js';
import { editCommand } from './commands/edit.js';
import { exportCommand } from './commands/export.js';
import { extractCommand } from './commands/extract.js';
import { float16Command } from './commands/float16.js';
import { importCommand } from './commands/import.js';
import { inferCommand } from './commands/infer.js';
import { inlineCommand } from './commands/inline.js';
import { inspectCommand } from './commands/inspect.js';
import { mergeCommand } from './commands/merge.js';
import { optimizeCommand } from './commands/optimize.js';
import { packCommand, unpackCommand } from './commands/pack.js';
import { parseCommand } from './commands/parse.js';
import { printCommand } from './commands/print.js';
import { quantizeCommand } from './commands/quantize.js';
import { runCommand } from './commands/run.js';
import { simplifyCommand } from './commands/simplify.js';
import { studioCommand } from './commands/studio.js';
import { verifyCommand } from './commands/verify.js';
import { PEER_PROCESS } from './peers/child.js';
import { servePeer } from './peers/onnxruntime-process.js';
import { concerning } from './usage-error.js';

const EXAMPLES = `
Examples:
  sardonyx inspect model.onnx
  sardonyx check model.onnx --full
  sardonyx run classifier.onnx --input photo.jpg --normalize imagenet --labels labels.txt
  sardonyx bench model.onnx --profile
  sardonyx compare model.onnx --with onnxruntime-node
  sardonyx run --help                                   options of a command, with examples

Exit status: 0 done, 1 failed or out of tolerance, 2 wrong usage.`;

const COMMANDS = [
  runCommand,
  inspectCommand,
  checkCommand,
  benchCommand,
  compareCommand,
  diffCommand,
  verifyCommand,
  conformanceCommand,
  optimizeCommand,
  simplifyCommand,
  convertCommand,
  importCommand,
  exportCommand,
  printCommand,
  parseCommand,
  inferCommand,
  packCommand,
  unpackCommand,
  calibrateCommand,
  quantizeCommand,
  float16Command,
  extractCommand,
  mergeCommand,
  inlineCommand,
  editCommand,
  debugCommand,
  studioCommand,
  completionCommand,
];

/** The command line as it is declared. */
export function program(): Command {
  const sardonyx = new Command('sardonyx')
    .description('Runs ONNX models on WebAssembly kernels.')
    .version(version)
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', EXAMPLES);
  for (const command of COMMANDS) sardonyx.addCommand(command);
  sardonyx.command(PEER_PROCESS, { hidden: true }).action(servePeer);
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
