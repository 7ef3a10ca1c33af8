import { Argument, Command, Option } from '@commander-js/extra-typings';
import { UNITS } from '../../tools/quantize/repair/units.js';
import { bisect } from '../debug/bisect.js';
import { reduce } from '../debug/reduce.js';
import { sensitivity } from '../debug/sensitivity.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { positiveNumber } from '../option-values.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = `
reduce writes the part of a model with the fewest nodes for which something still holds, to be sent to whoever can mend it:
  --check COMMAND      a command ends as it does for the whole: with the same exit status, or signal; {} is the model's path
  --differs-from PEER  results are others than those of onnxruntime-node, onnxruntime-web or reference, as in "compare"
What the nodes that are gone have made are inputs then, or, with --constants, what it was in a run on the inputs.

bisect finds the rewrite of the optimizer with which the results begin to be others than those of the model as it is.

sensitivity says how far off outputs are when "quantize static" quantises one node alone, or all --by type, in decibels of signal to
noise over the samples of --data, and begins with what costs most.

Examples:
  sardonyx debug reduce model.onnx -o small.onnx --check 'python run.py {}'
  sardonyx debug reduce model.onnx -o small.onnx --check 'python compare.py {}' --constants --dim batch=1
  sardonyx debug reduce model.onnx -o small.onnx --differs-from onnxruntime-node -i photo.jpg
  sardonyx debug bisect model.onnx --dim batch=1
  sardonyx debug sensitivity model.onnx --data samples --per-channel`;

const command = () =>
  withInputOptions(
    new Command('debug')
      .description('Find the least part of a model that fails, the rewrite that is wrong, or what quantising costs.')
      .addArgument(new Argument('<what>', 'what is looked for').choices(['reduce', 'bisect', 'sensitivity'] as const))
      .argument('<model>', 'an ONNX file, its URL, or - for standard input')
      .option('-o, --output <file>', 'reduce: the file to write; - is standard output')
      .option('--check <command>', 'reduce: what a shell runs, with {} for the path of a model')
      .option('--differs-from <peer>', 'reduce: onnxruntime-node, onnxruntime-web, sardonyx:LEVEL or reference')
      .option('--constants', 'reduce: make constants of values that are made no more')
      .option('--data <folder>', 'sensitivity: the folders test_data_set_0 … on which the model is run')
      .addOption(new Option('--by <unit>', 'sensitivity: what is quantised alone; node if left out').choices(UNITS))
      .option('--per-channel', 'sensitivity: a scale for each channel of a weight')
      .addHelpText('after', EXAMPLES),
  )
    .option('--tolerance <e>', 'largest relative L2 error', positiveNumber, 1e-4)
    .option('--json', 'print JSON');

/** Options that only one has. */
const OWN = {
  reduce: ['output', 'check', 'differsFrom', 'constants'],
  bisect: [],
  sensitivity: ['data', 'by', 'perChannel'],
} as const;

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function requireOwn(what: keyof typeof OWN, given: object): void {
  for (const [owner, names] of Object.entries(OWN)) {
    const foreign = owner === what ? undefined : names.find((name) => name in given);
    if (foreign) throw new UsageError(`${flag(foreign)} belongs to "debug ${owner}"`);
  }
}

export const debugCommand = (io: Io) =>
  command().action(async (what, model, options) => {
    requireOwn(what, options);
    const { tolerance, json } = options;
    const inputs = inputChoices(options);
    if (what === 'bisect') return bisect(io, model, { tolerance, inputs, json });
    const { output, check, differsFrom, constants, data, by, perChannel } = options;
    if (what === 'reduce') return reduce(io, model, { output, check, differsFrom, constants, tolerance, inputs, json });
    const given = (['input', 'shape', 'dim'] as const).find((name) => options[name] !== undefined);
    if (given) throw new UsageError(`${flag(given)}: "debug sensitivity" runs the model on --data`);
    return sensitivity(io, model, { data, by, perChannel, json });
  });
