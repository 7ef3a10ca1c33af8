import { Command, CommanderError, type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings';
import { homepage, version } from '../../package.json';
import { type Io, type Output, STANDARD } from './io.js';
import { PEER_PROCESS } from './peers/child.js';
import { concerning } from './usage-error.js';
import { requireFilePath } from './write-file.js';

const DESCRIPTION = `Run, inspect, convert and quantize ONNX models.

Examples:
  sardonyx inspect model.onnx
  sardonyx check model.onnx --full
  sardonyx run classifier.onnx --input photo.jpg --normalize imagenet --labels labels.txt
  sardonyx bench model.onnx --profile
  sardonyx compare model.onnx --with onnxruntime-node
  sardonyx run --help                                   print the options of a command`;

const NOTES = `
Exit status: 0 for success, 1 for a failure or a result out of tolerance, 2 for wrong usage.`;

const MANUAL = `${homepage.replace(/#.*/, '')}/blob/main/docs/command-line.md`;

/** Commands load in two groups: those that edit models, and those that run them. */
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

/** Selects the command that a command line names, or all commands if it names none, for the help. */
export function neededBy(args: readonly string[]): (verb: string) => boolean {
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  const isKnown = args[0] === '--version' || first === PEER_PROCESS || Object.hasOwn(COMMANDS, first);
  return (verb) => !isKnown || verb === first;
}

/** Declares the command line with the commands that are needed; the others are not loaded. */
export async function program(io: Io, isNeeded = (_verb: string) => true): Promise<Command> {
  const { stdout, stderr } = io.host;
  const sardonyx = new Command('sardonyx')
    .description(DESCRIPTION)
    .version(version, '-V, --version', 'print the version')
    .option('--debug', 'print the stack trace of an error')
    .addHelpText('after', NOTES);
  const needed = Object.entries(COMMANDS).filter(([verb]) => isNeeded(verb));
  for (const command of await Promise.all(needed.map(([, load]) => load(io)))) sardonyx.addCommand(command);
  sardonyx
    .command(PEER_PROCESS, { hidden: true })
    .action(async () => (await import('./peers/onnxruntime-process.js')).servePeer());
  for (const command of sardonyx.commands) {
    checkFirst(command);
    command.addHelpText('after', `\nManual: ${MANUAL}#${command.name()}`);
  }
  for (const command of [sardonyx, ...sardonyx.commands]) {
    command
      .helpOption('-h, --help', 'print this help')
      .exitOverride((error) => {
        throw namingChoices(command, error);
      })
      .configureOutput({
        writeOut: (text) => stdout.write(text),
        writeErr: (text) => stderr.write(text),
        outputError: () => {},
        getOutHelpWidth: () => widthOf(stdout),
        getErrHelpWidth: () => widthOf(stderr),
      })
      .configureHelp({ showGlobalOptions: true, boxWrap });
    for (const option of command.options) nameInErrors(option);
  }
  return sardonyx;
}

const widthOf = ({ isTTY, columns }: Output): number => (isTTY && columns) || 80;

/** Wraps text except indented lines: examples stay on one line so that they can be copied. */
function boxWrap(this: Help, text: string, width: number): string {
  const wrap = (line: string) => (line.startsWith('  ') ? line : Help.prototype.boxWrap.call(this, line, width));
  return text.split('\n').map(wrap).join('\n');
}

/** Options that name a file to write. */
const FILES = ['output', 'trace'];

/** Checks required options after the arguments, and files to write before the work. */
function checkFirst(command: CommandUnknownOpts): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.mandatory = false;
  const writesFolder = command.options.some(({ flags }) => flags.includes('--output <folder>'));
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing)
      throw new CommanderError(
        2,
        'commander.missingMandatoryOptionValue',
        `missing required option '${missing.flags}'`,
      );
    for (const name of FILES) {
      const path = command.getOptionValue(name);
      if (typeof path === 'string' && path !== STANDARD && !writesFolder)
        concerning(`--${name} ${path}`, () => requireFilePath(path));
    }
  });
}

/** Adds the choices to an error about a missing argument; an invalid choice before it comes first. */
function namingChoices(command: CommandUnknownOpts, error: CommanderError): CommanderError {
  const { registeredArguments, args } = command;
  const at = registeredArguments.findIndex((argument) => error.message.endsWith(`argument '${argument.name()}'`));
  if (error.code !== 'commander.missingArgument' || at < 0) return error;
  for (const [i, argument] of registeredArguments.slice(0, at + 1).entries()) {
    const choices = argument.argChoices?.join(', ');
    if (i === at && choices) return new CommanderError(2, error.code, `${error.message} (${choices})`);
    if (choices && !argument.argChoices?.includes(args[i] as string))
      return new CommanderError(2, error.code, `'${args[i]}' is not a ${argument.name()}; choose from ${choices}`);
  }
  return error;
}

/** Adds the option as it was typed to errors of its parser. */
function nameInErrors(option: Option): void {
  const { parseArg } = option;
  if (!parseArg || option.argChoices) return;
  option.parseArg = (text, earlier) => concerning(`${option.long} ${text}`, () => parseArg(text, earlier));
}
