import { Command, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import { version } from '../../package.json';
import { PEER_PROCESS } from './peers/child.js';
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

/** Commands load with others that need the same: those that change models, and those that run them. */
const documents = () => import('./commands/documents.js');
const sessions = () => import('./commands/sessions.js');

/** Commands by their verbs, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandUnknownOpts>>> = {
  run: async () => (await sessions()).runCommand,
  inspect: async () => (await sessions()).inspectCommand,
  check: async () => (await documents()).checkCommand,
  bench: async () => (await sessions()).benchCommand,
  compare: async () => (await sessions()).compareCommand,
  diff: async () => (await documents()).diffCommand,
  verify: async () => (await sessions()).verifyCommand,
  conformance: async () => (await sessions()).conformanceCommand,
  optimize: async () => (await sessions()).optimizeCommand,
  simplify: async () => (await documents()).simplifyCommand,
  convert: async () => (await documents()).convertCommand,
  import: async () => (await documents()).importCommand,
  export: async () => (await documents()).exportCommand,
  print: async () => (await documents()).printCommand,
  parse: async () => (await documents()).parseCommand,
  infer: async () => (await documents()).inferCommand,
  pack: async () => (await documents()).packCommand,
  unpack: async () => (await documents()).unpackCommand,
  calibrate: async () => (await sessions()).calibrateCommand,
  quantize: async () => (await sessions()).quantizeCommand,
  float16: async () => (await sessions()).float16Command,
  extract: async () => (await documents()).extractCommand,
  merge: async () => (await documents()).mergeCommand,
  inline: async () => (await documents()).inlineCommand,
  edit: async () => (await documents()).editCommand,
  debug: async () => (await sessions()).debugCommand,
  studio: async () => (await sessions()).studioCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand(() => program()),
};

/** Which commands a command line needs: that of its verb alone, all where it has none that is known, to tell of them. */
export function neededBy(args: readonly string[]): (verb: string) => boolean {
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  const isKnown = args[0] === '--version' || first === PEER_PROCESS || Object.hasOwn(COMMANDS, first);
  return (verb) => !isKnown || verb === first;
}

/** The command line as it is declared, with the commands that are needed; others are not loaded. */
export async function program(isNeeded = (_verb: string) => true): Promise<Command> {
  const sardonyx = new Command('sardonyx')
    .description('Runs ONNX models on WebAssembly kernels.')
    .version(version)
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', EXAMPLES);
  const needed = Object.entries(COMMANDS).filter(([verb]) => isNeeded(verb));
  for (const command of await Promise.all(needed.map(([, load]) => load()))) sardonyx.addCommand(command);
  sardonyx
    .command(PEER_PROCESS, { hidden: true })
    .action(async () => (await import('./peers/onnxruntime-process.js')).servePeer());
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
