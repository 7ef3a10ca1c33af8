import { Argument, Option } from '@commander-js/extra-typings';
import { UNITS } from '../../tools/quantize/repair/units.js';
import { bisect } from '../debug/bisect.js';
import { reduce } from '../debug/reduce.js';
import { sensitivity } from '../debug/sensitivity.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { DATA, MODEL, newCommand, OUTPUT } from '../new-command.js';
import { positiveNumber } from '../option-values.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = [
  "debug reduce model.onnx -o small.onnx --check 'python run.py {}'",
  "debug reduce model.onnx -o small.onnx --check 'python compare.py {}' --constants --dim batch=1",
  'debug reduce model.onnx -o small.onnx --differs-from onnxruntime-node -i photo.jpg',
  'debug bisect model.onnx --dim batch=1',
  'debug sensitivity model.onnx --data samples --per-channel',
];

const NOTES = `
Tools:
  reduce       write the smallest part of a model that still shows a problem, to attach to a bug report
  bisect       find the optimizer rewrite that changes the results of a model
  sensitivity  measure how much static quantization of each node changes the outputs, worst first`;

const command = () =>
  withInputOptions(
    newCommand(
      'debug',
      'Reduce a failing model, find a faulty optimizer rewrite, or measure quantization error.',
      EXAMPLES,
    )
      .addArgument(new Argument('<tool>', 'debugging tool').choices(['reduce', 'bisect', 'sensitivity'] as const))
      .argument('<model>', MODEL)
      .option('-o, --output <file>', `reduce: ${OUTPUT}`)
      .option('--check <command>', 'reduce: shell command that must end as it does for the whole model; {} is its path')
      .option(
        '--differs-from <peer>',
        'reduce: keep results different from onnxruntime-node, onnxruntime-web, sardonyx:LEVEL or reference',
      )
      .option('--constants', 'reduce: replace removed nodes by constants from a run instead of by inputs')
      .option('--data <folder>', `sensitivity: ${DATA}`)
      .addOption(new Option('--by <unit>', 'sensitivity: unit to quantize alone (default: node)').choices(UNITS))
      .option('--per-channel', 'sensitivity: use a scale per output channel')
      .addHelpText('after', NOTES),
  )
    .option('--tolerance <e>', 'largest relative L2 error', positiveNumber, 1e-4)
    .option('--json', 'print JSON');

/** Options of a single tool. */
const OWN = {
  reduce: ['output', 'check', 'differsFrom', 'constants'],
  bisect: [],
  sensitivity: ['data', 'by', 'perChannel'],
} as const;

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function requireOwn(tool: keyof typeof OWN, given: object): void {
  for (const [owner, names] of Object.entries(OWN)) {
    const foreign = owner === tool ? undefined : names.find((name) => name in given);
    if (foreign) throw new UsageError(`${flag(foreign)} is an option of "debug ${owner}"`);
  }
}

export const debugCommand = (io: Io) =>
  command().action(async (tool, model, options) => {
    requireOwn(tool, options);
    const { tolerance, json } = options;
    const inputs = inputChoices(options);
    if (tool === 'bisect') return bisect(io, model, { tolerance, inputs, json });
    const { output, check, differsFrom, constants, data, by, perChannel } = options;
    if (tool === 'reduce') return reduce(io, model, { output, check, differsFrom, constants, tolerance, inputs, json });
    const given = (['input', 'shape', 'dim'] as const).find((name) => options[name] !== undefined);
    if (given)
      throw new UsageError(`${flag(given)} cannot be used with "debug sensitivity", which runs the model on --data`);
    return sensitivity(io, model, { data, by, perChannel, json });
  });
