import type { Float16Report, MixedPrecision, Model, QuantizeProgress } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { DATA, MODEL, newCommand, OUTPUT } from '../new-command.js';
import { atLeastOne, collected, positiveNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { samplesIn } from '../samples.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';
import { refuseBoth } from '../written.js';

const EXAMPLES = [
  'float16 model.onnx -o half.onnx',
  "float16 model.onnx -o half.onnx --keep-io --exclude Softmax --exclude 'decoder.norm*'",
  'float16 model.onnx -o brain.onnx --bfloat16 --data samples',
  'float16 model.onnx -o mixed.onnx --auto --data samples --tolerance 1e-3',
];

const NOTES = `
Nodes stay in float32 if their operator does not support the type, with --data also if their values overflow, and with --auto also
if the outputs would exceed the tolerance. The command prints these nodes and the weights that are clamped.`;

const command = () =>
  newCommand('float16', 'Convert a model to half precision, entirely or within a tolerance.', EXAMPLES)
    .argument('<model>', MODEL)
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--bfloat16', 'convert to bfloat16 instead of float16')
    .option('--keep-io', 'keep the types of inputs and outputs')
    .option('--include <name>', 'convert only these nodes or operators; * matches any text (repeatable)', collected)
    .option('--exclude <name>', 'do not convert these nodes or operators (repeatable)', collected)
    .option('--min-positive <x>', 'raise smaller positive weights to x (default: minimum of the type)', positiveNumber)
    .option('--max-finite <x>', 'lower larger weights to x (default: maximum of the type)', positiveNumber)
    .option('--doubles', 'also convert float64')
    .option('--data <folder>', DATA)
    .option('--auto', 'keep nodes in float32 as needed for --tolerance; implies --keep-io')
    .option('--tolerance <e>', '--auto: largest relative L2 error of an output (default: 1e-2)', positiveNumber)
    .option('--trials <n>', '--auto: maximum number of models to try (default: 32)', atLeastOne)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', NOTES);

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
  if (!feeds) throw new UsageError('--auto needs --data, the samples to compare outputs on');
  return mixedPrecision(model, feeds, {
    ...options,
    ...(tolerance && { tolerance: { relative: tolerance } }),
    ...(trials && { trials }),
  });
}

function requireAuto({ auto, tolerance, trials }: Choices): void {
  if (!auto && (tolerance ?? trials) !== undefined)
    throw new UsageError(`--${tolerance === undefined ? 'trials' : 'tolerance'} needs --auto`);
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
    ...(kept.length > 0 ? [table(['>nodes', 'kept', 'reason'], reasons), ''] : []),
    ...(clamped.length > 0 ? [table(['weight', '>too large', '>too small'], weights), ''] : []),
    `${plural(converted, 'node')} converted, ${kept.length} kept`,
    ...(error === undefined ? [] : [`largest relative error ${error.toExponential(1)}, after ${trials} trials`]),
  ].join('\n');
}
