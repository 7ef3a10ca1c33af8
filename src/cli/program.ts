import { Command, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import { version } from '../../package.json';
import type { Io, Output } from './io.js';
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
const COMMANDS: Readonly<Record<string, (io: Io) => Promise<CommandUnknownOpts>>> = {
  run: async (io) => (await sessions()).runCommand(io),
  inspect: async (io) => (await sessions()).inspectCommand(io),
  check: async (io) => (await documents()).checkCommand(io),
  bench: async (io) => (await sessions()).benchCommand(io),
  compare: async (io) => (await sessions()).compareCommand(io),
  diff: async (io) => (await documents()).diffCommand(io),
  verify: async (io) => (await sessions()).verifyCommand(io),
  conformance: async (io) => (await sessions()).conformanceCommand(io),
  optimize: async (io) => (await sessions()).optimizeCommand(io),
  simplify: async (io) => (await documents()).simplifyCommand(io),
  convert: async (io) => (await documents()).convertCommand(io),
  import: async (io) => (await documents()).importCommand(io),
  export: async (io) => (await documents()).exportCommand(io),
  print: async (io) => (await documents()).printCommand(io),
  parse: async (io) => (await documents()).parseCommand(io),
  infer: async (io) => (await documents()).inferCommand(io),
  pack: async (io) => (await documents()).packCommand(io),
  unpack: async (io) => (await documents()).unpackCommand(io),
  calibrate: async (io) => (await sessions()).calibrateCommand(io),
  quantize: async (io) => (await sessions()).quantizeCommand(io),
  float16: async (io) => (await sessions()).float16Command(io),
  extract: async (io) => (await documents()).extractCommand(io),
  merge: async (io) => (await documents()).mergeCommand(io),
  inline: async (io) => (await documents()).inlineCommand(io),
  edit: async (io) => (await documents()).editCommand(io),
  debug: async (io) => (await sessions()).debugCommand(io),
  studio: async (io) => (await sessions()).studioCommand(io),
  completion: async (io) => (await import('./commands/completion.js')).completionCommand(io, () => program(io)),
};

/** Which commands a command line needs: that of its verb alone, all where it has none that is known, to tell of them. */
export function neededBy(args: readonly string[]): (verb: string) => boolean {
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  const isKnown = args[0] === '--version' || first === PEER_PROCESS || Object.hasOwn(COMMANDS, first);
  return (verb) => !isKnown || verb === first;
}

/** The command line as it is declared, with the commands that are needed; others are not loaded. */
export async function program(io: Io, isNeeded = (_verb: string) => true): Promise<Command> {
  const { stdout, stderr } = io.host;
  const sardonyx = new Command('sardonyx')
    .description('Runs ONNX models on WebAssembly kernels.')
    .version(version)
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', EXAMPLES);
  const needed = Object.entries(COMMANDS).filter(([verb]) => isNeeded(verb));
  for (const command of await Promise.all(needed.map(([, load]) => load(io)))) sardonyx.addCommand(command);
  sardonyx
    .command(PEER_PROCESS, { hidden: true })
    .action(async () => (await import('./peers/onnxruntime-process.js')).servePeer());
  for (const command of [sardonyx, ...sardonyx.commands]) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => stdout.write(text),
        writeErr: (text) => stderr.write(text),
        outputError: () => {},
        getOutHelpWidth: () => widthOf(stdout),
        getErrHelpWidth: () => widthOf(stderr),
      })
      .configureHelp({ showGlobalOptions: true });
    for (const option of command.options) nameInErrors(option);
  }
  return sardonyx;
}

const widthOf = ({ isTTY, columns }: Output): number => (isTTY && columns) || 80;

/** Lets whatever an option's parser refuses begin with the option as it was typed. */
function nameInErrors(option: Option): void {
  const { parseArg } = option;
  if (!parseArg || option.argChoices) return;
  option.parseArg = (text, earlier) => concerning(`${option.long} ${text}`, () => parseArg(text, earlier));
}
