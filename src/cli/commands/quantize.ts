import { Argument, Command } from '@commander-js/extra-typings';
import type { Model, QuantizeProgress, QuantizeStaticOptions, Ranges, Repair, Samples } from '../../tools/index.js';
import { CALIBRATIONS } from '../../tools/quantize/calibrate/ranges.js';
import { BYTE_TYPES, DYNAMIC_TYPES } from '../../tools/quantize/dynamic/options.js';
import { REPAIRS } from '../../tools/quantize/repair/units.js';
import { INTEGER_TYPES } from '../../tools/quantize/static/integers.js';
import { STATIC_FORMATS } from '../../tools/quantize/static/options.js';
import { FORMATS, METHODS } from '../../tools/quantize/weights/options.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { positiveNumber, wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { readRanges } from '../ranges-file.js';
import { samplesIn } from '../samples.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument, refuseBoth } from '../written.js';

const EXAMPLES = `
weights stores the weights of MatMul, Gemm and Gather in 2, 4 or 8 bits, by blocks with a scale each; sums stay floats. Tables
of embeddings, and the product that has a column for each of their rows, have 8 bits unless something else is said. Methods:
  rtn       to the nearest of 2^bits numbers between the least and the greatest of a block
  default   as onnxruntime does where no algorithm is named: 0 is in the range
  kquant    llama.cpp's search for scales, in which larger numbers count more
  hqq       zero points, any numbers, for which few numbers far off weigh less
  gptq      numbers make good what those before them err by, as inputs of --data go together
  awq       what inputs of --data are large for is scaled up before it is rounded

dynamic makes the weights of MatMul, Gemm, Gather, LSTM and onnxruntime's Attention 8-bit integers; activations are rounded to
such while the model runs, and sums are of integers. Convolutions, which run slower for it, take part with --types Conv.

static makes weights and activations integers by ranges that are known ahead: from --ranges, which "calibrate" writes, or found
in --data. QDQ keeps the operators, between QuantizeLinear and DequantizeLinear; QOperator has operators on integers. The methods
are those of "calibrate": minmax, average, entropy, percentile, mse. --repair takes any of these, with samples of --data:
  equalize  scales channels between layers until one scale serves all of a weight
  smooth    divides columns of activations that reach far, in the norm before products
  adaround  rounds weights up or down as products err least by
  bias      adds to biases what channels have lost on average
--target leaves nodes in floats, those that cost most first, until outputs have so many decibels of signal to noise.

Examples:
  sardonyx quantize weights model.onnx -o model-q4.onnx
  sardonyx quantize weights model.onnx -o model-q8.onnx --bits 8 --exclude 'lm_head*'
  sardonyx quantize weights model.onnx -o model-gptq.onnx --method gptq --data samples
  sardonyx quantize weights model.onnx -o blocks.onnx --method kquant --format DequantizeLinear
  sardonyx quantize dynamic model.onnx -o model-int8.onnx --per-channel
  sardonyx quantize static model.onnx -o model-int8.onnx --data samples --method mse --per-channel
  sardonyx quantize static model.onnx -o model-int8.onnx --ranges ranges.json --exclude 'head*'
  sardonyx quantize static model.onnx -o model-int8.onnx --data samples --repair equalize,bias --target 30`;

const repeated = (text: string, earlier: string[] = []): string[] => [...earlier, text];

const list = (text: string): string[] => text.split(',');

const WHAT = ['weights', 'dynamic', 'static'] as const;
type What = (typeof WHAT)[number];

/** Options that not all take, and of what values. */
const OWN: Readonly<Record<What, Readonly<Record<string, readonly string[] | undefined>>>> = {
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
  new Command('quantize')
    .description('Write a model whose weights take fewer bits.')
    .addArgument(
      new Argument('<what>', 'weights alone, or activations too: as they come, or by ranges known ahead').choices(WHAT),
    )
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--json', 'print what was written as JSON')
    .option('--include <name>', 'nodes or weights to quantise, * for anything (repeatable)', repeated)
    .option('--exclude <name>', 'nodes or weights to leave (repeatable)', repeated)
    .option('--bits <2|4|8>', 'of a weight; 4 if left out', wholeNumber)
    .option('--block <n>', 'how many weights share a scale; 32 if left out', wholeNumber)
    .option('--method <name>', 'how scales are found; rtn if left out, minmax for static')
    .option('--format <name>', 'what reads the weights: MatMulNBits or DequantizeLinear; static: QDQ or QOperator')
    .option('--symmetric', 'without zero points')
    .option('--embedding-bits <2|4|8>', 'of tables; 8 if left out', wholeNumber)
    .option(
      '--head-bits <2|4|8>',
      'of the product that has a column for each row of a table; 8 if left out',
      wholeNumber,
    )
    .option('--data <folder>', 'for gptq, awq and static: the folders test_data_set_0 … on which the model is run')
    .option('--ranges <file>', 'static: what "calibrate" has written, or the calibration cache of onnxruntime')
    .option('--accuracy-level <0-4>', "onnxruntime's: 4 lets activations be 8-bit integers", wholeNumber)
    .option('--types <operator>', 'types of operators to quantise (repeatable)', repeated)
    .option('--weight-type <type>', 'int8 if left out, but uint8 for dynamic Conv')
    .option('--activation-type <type>', 'static: uint8 if left out; QDQ takes 16 and 4 bits, of weights too')
    .option('--per-channel', 'a scale for each column of a weight')
    .option('--reduce-range', 'keep weights to a bit less')
    .option('--symmetric-activations', 'static: lay ranges around 0')
    .option('--percentile <0-100>', 'static: how much of a value is in its range, for the method of this name', Number)
    .option('--minimum-range <x>', 'static: how wide ranges are at least', positiveNumber)
    .option('--dedicated-pairs', 'QDQ: a pair for each who reads a value')
    .option('--pairs-on-weights', 'QDQ: leave weights as floats, with a pair behind')
    .option('--float-bias', 'QDQ: leave biases as floats')
    .option('--keep-activations', 'QDQ: leave Relu and Clip where ranges do their work')
    .option('--force', 'static: quantise what only moves values even where nothing before it is')
    .option('--repair <list>', 'static: equalize, smooth, adaround, bias, or some of them', list)
    .option('--target <dB>', 'static: signal to noise that outputs have at least', positiveNumber)
    .addHelpText('after', EXAMPLES);

type Choices = Omit<ReturnType<ReturnType<typeof command>['opts']>, 'output'>;

const reporting =
  (io: Io) =>
  ({ stage, done, total, node }: QuantizeProgress): void =>
    io.progress(`quantising ${stage}: ${done} of ${total} ${node}`);

async function quantized(
  io: Io,
  what: What,
  model: Model,
  { data, ranges, floatBias, ...choices }: Choices,
): Promise<Model> {
  const tools = await import('../../tools/on-demand.js');
  const feeds = data === undefined ? undefined : samplesIn(data, model);
  const options = { ...(choices as object), onProgress: reporting(io) };
  if (what === 'weights') return tools.quantizeWeights(model, { ...options, ...(feeds && { feeds }) });
  if (what === 'dynamic')
    return tools.quantizeDynamic(model, { ...options, onNotice: ({ message }) => io.note(message) });
  const { repair, target, ...others } = { ...options, quantizeBias: !floatBias } as StaticChoices;
  if (!repair && target === undefined) return tools.quantizeStatic(model, await rangesOf(ranges, feeds), others);
  if (!feeds || ranges) throw new UsageError('--repair and --target take --data, and no --ranges');
  const aim = target === undefined ? {} : { target: { sqnr: target } };
  const made = await tools.quantizeRepaired(model, feeds, { ...others, repair: repair ?? [], ...aim });
  if (made.score !== undefined) io.note(`${made.score.toFixed(1)} dB, with ${excludedIn(made.excluded)}`);
  return made.model;
}

type StaticChoices = QuantizeStaticOptions & { readonly repair?: readonly Repair[]; readonly target?: number };

const excludedIn = (names: readonly string[]): string =>
  names.length === 0 ? 'all nodes quantised' : `${plural(names.length, 'node')} in floats: ${names.join(', ')}`;

async function rangesOf(ranges: string | undefined, feeds: Samples | undefined): Promise<Ranges | Samples> {
  if ((ranges === undefined) === (feeds === undefined))
    throw new UsageError('static takes --data, samples to find ranges in, or --ranges, where these are');
  return ranges === undefined ? (feeds as Samples) : readRanges(ranges);
}

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function requireOwn(what: What, choices: Choices): void {
  for (const [name, given] of Object.entries(choices)) {
    const owners = WHAT.filter((other) => name in OWN[other]);
    if (owners.length > 0 && !owners.includes(what))
      throw new UsageError(`${flag(name)} belongs to ${owners.map((owner) => `"quantize ${owner}"`).join(' and ')}`);
    const known = OWN[what][name];
    const unknown = [given].flat().find((value) => known?.includes(String(value)) === false);
    if (unknown !== undefined)
      throw new UsageError(`${flag(name)} ${unknown}: "quantize ${what}" knows ${(known ?? []).join(', ')}`);
  }
}

export const quantizeCommand = (io: Io) =>
  command().action(async (what, argument, { output, json, ...choices }) => {
    refuseBoth({ output, json });
    requireOwn(what, choices);
    const model = await openDocument(io, argument);
    const result = await quantized(io, what, model, choices);
    if (result === model) throw new UsageError('nothing of this model can be quantised so, or all is excluded');
    await deliverDocument(io, result, { output, json });
  });
