import { Command } from '@commander-js/extra-typings';
import type { Float16Report, MixedPrecision, Model, QuantizeProgress } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { atLeastOne, collected, positiveNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { samplesIn } from '../samples.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';
import { refuseBoth } from '../written.js';

const EXAMPLES = `
Whatever the operators of the model's opset have no such type for stays in float32, between Casts. With --data the model is run, and
nodes stay in float32 whose numbers, or sums, are greater than the type holds; with --auto so do as many more as it takes for the
outputs to be within the tolerance. What stays, why, and which weights are clamped is printed.

Examples:
  sardonyx float16 model.onnx -o half.onnx
  sardonyx float16 model.onnx -o half.onnx --keep-io --exclude Softmax --exclude 'decoder.norm*'
  sardonyx float16 model.onnx -o brain.onnx --bfloat16 --data samples
  sardonyx float16 model.onnx -o mixed.onnx --auto --data samples --tolerance 1e-3`;

const command = () =>
  new Command('float16')
    .description('Write a model in half precision, or as much of it as keeps its outputs.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--bfloat16', 'bfloat16 in place of float16')
    .option('--keep-io', 'leave inputs and outputs as they are')
    .option(
      '--include <name>',
      'nodes, or operators, to convert, all if left out; * is anything (repeatable)',
      collected,
    )
    .option('--exclude <name>', 'nodes, or operators, to leave (repeatable)', collected)
    .option('--min-positive <x>', 'what smaller weights become; the least of the type if left out', positiveNumber)
    .option('--max-finite <x>', 'what larger weights become; the greatest of the type if left out', positiveNumber)
    .option('--doubles', 'convert float64, too')
    .option('--data <folder>', 'the folders test_data_set_0 … on which the model is run')
    .option('--auto', 'leave in float32 what the tolerance needs; inputs and outputs stay as they are')
    .option('--tolerance <e>', 'for --auto: largest relative L2 error of an output; 1e-2 if left out', positiveNumber)
    .option('--trials <n>', 'for --auto: how many models are tried at most; 32 if left out', atLeastOne)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES);

type Choices = Omit<ReturnType<ReturnType<typeof command>['opts']>, 'output' | 'json'>;

const reporting =
  (io: Io) =>
  ({ stage, done, total, node }: QuantizeProgress): void =>
    io.progress(`converting: ${stage}, ${done} of ${total} ${node}`);

async function converted(
  io: Io,
  model: Model,
  { data, auto, tolerance, trials, bfloat16, keepIo, ...choices }: Choices,
) {
  const { mixedPrecision, toFloat16 } = await import('../../tools/on-demand.js');
  const feeds = data === undefined ? undefined : samplesIn(data, model);
  const options = { ...choices, to: bfloat16 ? 'bfloat16' : 'float16', onProgress: reporting(io) } as const;
  if (!auto) return toFloat16(model, { ...options, ...(keepIo && { keepIO: true }), ...(feeds && { feeds }) });
  if (!feeds) throw new UsageError('--auto takes --data: the samples on which the outputs are compared');
  return mixedPrecision(model, feeds, {
    ...options,
    ...(tolerance && { tolerance: { relative: tolerance } }),
    ...(trials && { trials }),
  });
}

function requireAuto({ auto, tolerance, trials }: Choices): void {
  if (!auto && (tolerance ?? trials) !== undefined)
    throw new UsageError(`--${tolerance === undefined ? 'trials' : 'tolerance'} belongs to --auto`);
}

export const float16Command = (io: Io) =>
  command().action(async (argument, { output, json, ...choices }) => {
    requireAuto(choices);
    refuseBoth({ output, json });
    const { model, report } = await converted(io, await openDocument(io, argument), choices);
    await writeDocument(io, model, output);
    if (json) io.printJson(report);
    else (output === STANDARD ? io.note : io.print)(described(report));
  });

function described(report: Float16Report & Partial<MixedPrecision['report']>): string {
  const { converted, kept, clamped, trials, error } = report;
  const counts = new Map<string, number>();
  for (const { operator, reason } of kept) {
    const key = JSON.stringify([operator, reason]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const reasons = [...counts].map(([key, count]) => [String(count), ...(JSON.parse(key) as string[])]);
  const weights = clamped.map(({ weight, above, below }) => [weight, String(above), String(below)]);
  return [
    ...(kept.length > 0 ? [table(['>nodes', 'left', 'because'], reasons), ''] : []),
    ...(clamped.length > 0 ? [table(['weight', '>too large', '>too small'], weights), ''] : []),
    `${plural(converted, 'node')} converted, ${kept.length} left`,
    ...(error === undefined ? [] : [`largest relative error ${error.toExponential(1)}, after ${trials} trials`]),
  ].join('\n');
}
