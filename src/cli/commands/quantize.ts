import { Argument } from '@commander-js/extra-typings';
import type { Model, QuantizeProgress, QuantizeStaticOptions, Ranges, Repair, Samples } from '../../tools/index.js';
import { CALIBRATIONS } from '../../tools/quantize/calibrate/ranges.js';
import { BYTE_TYPES, DYNAMIC_TYPES } from '../../tools/quantize/dynamic/options.js';
import { REPAIRS } from '../../tools/quantize/repair/units.js';
import { INTEGER_TYPES } from '../../tools/quantize/static/integers.js';
import { STATIC_FORMATS } from '../../tools/quantize/static/options.js';
import { FORMATS, METHODS } from '../../tools/quantize/weights/options.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { DATA, MODEL, newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { positiveNumber, wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { readRanges } from '../ranges-file.js';
import { samplesIn } from '../samples.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument, refuseBoth } from '../written.js';

const EXAMPLES = [
  'quantize weights model.onnx -o model-q4.onnx',
  "quantize weights model.onnx -o model-q8.onnx --bits 8 --exclude 'lm_head*'",
  'quantize weights model.onnx -o model-gptq.onnx --method gptq --data samples',
  'quantize dynamic model.onnx -o model-int8.onnx --per-channel',
  'quantize static model.onnx -o model-int8.onnx --data samples --method mse --per-channel',
  'quantize static model.onnx -o model-int8.onnx --ranges ranges.json',
  'quantize static model.onnx -o model-int8.onnx --data samples --repair equalize,bias --target 30',
];

const NOTES = `
Modes:
  weights  store weights in 2, 4 or 8 bits, in blocks that share a scale; activations stay floating-point
  dynamic  store weights as 8-bit integers and quantize activations in each run
  static   quantize weights and activations with ranges from "sardonyx calibrate" or from --data

Methods of weights:
  rtn      round to nearest, with the range of each block
  default  onnxruntime's default: round to nearest, with 0 in the range
  kquant   k-quants, the scale search of llama.cpp
  hqq      HQQ: fits floating-point zero points and tolerates outliers
  gptq     GPTQ: corrects the remaining weights for each rounding error; needs --data
  awq      AWQ: scales weights of large activations before rounding; needs --data

Methods of static: minmax, average, entropy, percentile, mse (see "sardonyx calibrate --help").`;

const repeated = (text: string, earlier: string[] = []): string[] => [...earlier, text];

const list = (text: string): string[] => text.split(',');

const MODES = ['weights', 'dynamic', 'static'] as const;
type Mode = (typeof MODES)[number];

/** The options of each mode, and the values of those with a limited choice. */
const OWN: Readonly<Record<Mode, Readonly<Record<string, readonly string[] | undefined>>>> = {
  weights: {
    method: METHODS,
    format: FORMATS,
    ...undefinedOf('bits', 'block', 'symmetric', 'embeddingBits', 'headBits', 'accuracyLevel', 'data'),
  },
  dynamic: { types: DYNAMIC_TYPES, weightType: BYTE_TYPES, ...undefinedOf('perChannel', 'reduceRange') },
  static: {
    method: CALIBRATIONS,
    format: STATIC_FORMATS,
    weightType: INTEGER_TYPES,
    activationType: INTEGER_TYPES,
    repair: REPAIRS,
    ...undefinedOf(
      'target',
      'types',
      'data',
      'ranges',
      'perChannel',
      'reduceRange',
      'symmetricActivations',
      'percentile',
    ),
    ...undefinedOf('minimumRange', 'dedicatedPairs', 'pairsOnWeights', 'floatBias', 'keepActivations', 'force'),
  },
};

function undefinedOf(...names: readonly string[]): Readonly<Record<string, undefined>> {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

const command = () =>
  newCommand('quantize', 'Quantize the weights of a model, or its weights and activations.', EXAMPLES)
    .addArgument(new Argument('<mode>', 'kind of quantization').choices(MODES))
    .argument('<model>', MODEL)
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--json', SUMMARY_JSON)
    .option('--include <name>', 'quantize only these nodes or weights; * matches any text (repeatable)', repeated)
    .option('--exclude <name>', 'do not quantize these nodes or weights (repeatable)', repeated)
    .option('--bits <2|4|8>', 'weights: bits per weight (default: 4)', wholeNumber)
    .option('--block <n>', 'weights: number of weights that share a scale (default: 32)', wholeNumber)
    .option('--method <name>', 'weights, static: method, as listed below (default: rtn; static: minmax)')
    .option('--format <name>', 'weights: MatMulNBits (default) or DequantizeLinear; static: QDQ (default) or QOperator')
    .option('--symmetric', 'weights: omit zero points')
    .option('--embedding-bits <2|4|8>', 'weights: bits of embedding tables (default: 8)', wholeNumber)
    .option('--head-bits <2|4|8>', 'weights: bits of the output head of a language model (default: 8)', wholeNumber)
    .option('--data <folder>', `gptq, awq, static: ${DATA}`)
    .option('--ranges <file>', 'static: ranges from "calibrate", or a calibration cache of onnxruntime')
    .option('--accuracy-level <0-4>', 'weights: accuracy_level of MatMulNBits; 4 allows int8 activations', wholeNumber)
    .option('--types <operator>', 'dynamic, static: quantize operators of this type (repeatable)', repeated)
    .option('--weight-type <type>', 'dynamic, static: type of weights (default: int8; uint8 for dynamic Conv)')
    .option(
      '--activation-type <type>',
      'static: type of activations (default: uint8); QDQ also allows 16-bit and 4-bit types',
    )
    .option('--per-channel', 'dynamic, static: use a scale per output channel instead of per tensor')
    .option('--reduce-range', 'dynamic, static: use 7 bits for weights, for CPUs that add products in 16 bits')
    .option('--symmetric-activations', 'static: make ranges symmetric around 0')
    .option('--percentile <0-100>', 'static: percentage of values in the range, for --method percentile', Number)
    .option('--minimum-range <x>', 'static: minimum width of a range', positiveNumber)
    .option('--dedicated-pairs', 'QDQ: insert a pair for each consumer of a value')
    .option('--pairs-on-weights', 'QDQ: keep weights floating-point, followed by a pair')
    .option('--float-bias', 'QDQ: keep biases floating-point')
    .option('--keep-activations', 'QDQ: keep Relu and Clip even if the ranges make them redundant')
    .option('--force', 'static: quantize operators that only move data even if their input is not quantized')
    .option('--repair <list>', 'static: equalize, smooth, adaround, bias, or a list of these', list)
    .option(
      '--target <dB>',
      'static: keep nodes floating-point until outputs reach this signal-to-noise ratio',
      positiveNumber,
    )
    .addHelpText('after', NOTES);

type Choices = Omit<ReturnType<ReturnType<typeof command>['opts']>, 'output'>;

const reporting =
  (io: Io) =>
  ({ stage, done, total, node }: QuantizeProgress): void =>
    io.progress(`quantizing ${stage}: ${done} of ${total} ${node}`);

async function quantized(
  io: Io,
  mode: Mode,
  model: Model,
  { data, ranges, floatBias, ...choices }: Choices,
): Promise<Model> {
  const tools = await import('../../tools/on-demand.js');
  const feeds = data === undefined ? undefined : samplesIn(data, model);
  const options = { ...(choices as object), onProgress: reporting(io) };
  if (mode === 'weights') return tools.quantizeWeights(model, { ...options, ...(feeds && { feeds }) });
  if (mode === 'dynamic')
    return tools.quantizeDynamic(model, { ...options, onNotice: ({ message }) => io.note(message) });
  const { repair, target, ...others } = { ...options, quantizeBias: !floatBias } as StaticChoices;
  if (!repair && target === undefined) return tools.quantizeStatic(model, await rangesOf(ranges, feeds), others);
  if (!feeds || ranges) throw new UsageError('--repair and --target need --data, and cannot be combined with --ranges');
  const aim = target === undefined ? {} : { target: { sqnr: target } };
  const made = await tools.quantizeRepaired(model, feeds, { ...others, repair: repair ?? [], ...aim });
  if (made.score !== undefined)
    io.note(`signal-to-noise ratio ${made.score.toFixed(1)} dB, ${excludedIn(made.excluded)}`);
  return made.model;
}

type StaticChoices = QuantizeStaticOptions & { readonly repair?: readonly Repair[]; readonly target?: number };

const excludedIn = (names: readonly string[]): string =>
  names.length === 0
    ? 'all nodes quantized'
    : `${plural(names.length, 'node')} kept floating-point: ${names.join(', ')}`;

async function rangesOf(ranges: string | undefined, feeds: Samples | undefined): Promise<Ranges | Samples> {
  if ((ranges === undefined) === (feeds === undefined))
    throw new UsageError('"quantize static" needs either --data (samples for calibration) or --ranges');
  return ranges === undefined ? (feeds as Samples) : readRanges(ranges);
}

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function requireOwn(mode: Mode, choices: Choices): void {
  for (const [name, given] of Object.entries(choices)) {
    const owners = MODES.filter((other) => name in OWN[other]);
    if (owners.length > 0 && !owners.includes(mode))
      throw new UsageError(
        `${flag(name)} is an option of ${owners.map((owner) => `"quantize ${owner}"`).join(' and ')}`,
      );
    const known = OWN[mode][name];
    const unknown = [given].flat().find((value) => known?.includes(String(value)) === false);
    if (unknown !== undefined)
      throw new UsageError(`${flag(name)} ${unknown}: "quantize ${mode}" accepts ${(known ?? []).join(', ')}`);
  }
}

export const quantizeCommand = (io: Io) =>
  command().action(async (mode, argument, { output, json, ...choices }) => {
    refuseBoth({ output, json });
    requireOwn(mode, choices);
    const model = await openDocument(io, argument);
    const result = await quantized(io, mode, model, choices);
    if (result === model)
      throw new UsageError('the model has nothing to quantize in this mode, or everything is excluded');
    await deliverDocument(io, result, { output, json });
  });
