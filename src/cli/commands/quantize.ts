import { Argument, Command, Option } from '@commander-js/extra-typings';
import type { Model, QuantizeProgress } from '../../tools/index.js';
import { BYTE_TYPES, DYNAMIC_TYPES } from '../../tools/quantize/dynamic/options.js';
import { FORMATS, METHODS } from '../../tools/quantize/weights/options.js';
import { openDocument, writeDocument } from '../document.js';
import { wholeNumber } from '../option-values.js';
import { progress } from '../progress.js';
import { samplesIn } from '../samples.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = `
weights stores the weights of MatMul, Gemm and Gather in 2, 4 or 8 bits, by blocks with a scale each; sums stay floats. Tables
of embeddings, and the product that has a column for each of their rows, have 8 bits unless something else is said. Methods:
  rtn       to the nearest of 2^bits numbers between the least and the greatest of a block
  default   as onnxruntime does where no algorithm is named: 0 is in the range
  kquant    llama.cpp's search for scales, in which larger numbers count more
  hqq       zero points, any numbers, for which few numbers far off weigh less
  gptq      numbers make good what those before them err by, as inputs of --data go together
  awq       what inputs of --data are large for is scaled up before it is rounded

dynamic makes the weights of MatMul, Gemm, Conv, Gather, LSTM and onnxruntime's Attention 8-bit integers; activations are
rounded to such while the model runs, and sums are of integers.

Examples:
  sardonyx quantize weights model.onnx -o model-q4.onnx
  sardonyx quantize weights model.onnx -o model-q8.onnx --bits 8 --exclude 'lm_head*'
  sardonyx quantize weights model.onnx -o model-gptq.onnx --method gptq --data samples
  sardonyx quantize weights model.onnx -o blocks.onnx --method kquant --format DequantizeLinear
  sardonyx quantize dynamic model.onnx -o model-int8.onnx --per-channel`;

const repeated = (text: string, earlier: string[] = []): string[] => [...earlier, text];

/** Options that only one of both takes. */
const ONLY = {
  weights: ['bits', 'block', 'method', 'format', 'symmetric', 'embeddingBits', 'headBits', 'accuracyLevel', 'data'],
  dynamic: ['types', 'weightType', 'perChannel', 'reduceRange'],
} as const;

const command = new Command('quantize')
  .description('Write a model whose weights take fewer bits.')
  .addArgument(
    new Argument('<what>', 'weights alone, or activations as they come, too').choices(['weights', 'dynamic'] as const),
  )
  .argument('<model>', 'an ONNX file, its URL, or - for standard input')
  .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
  .option('--include <name>', 'nodes or weights to quantise, * for anything (repeatable)', repeated)
  .option('--exclude <name>', 'nodes or weights to leave (repeatable)', repeated)
  .option('--bits <2|4|8>', 'of a weight; 4 if left out', wholeNumber)
  .option('--block <n>', 'how many weights share a scale; 32 if left out', wholeNumber)
  .addOption(new Option('--method <name>', 'how scales are found; rtn if left out').choices(METHODS))
  .addOption(new Option('--format <operator>', 'what reads the weights; MatMulNBits if left out').choices(FORMATS))
  .option('--symmetric', 'without zero points')
  .option('--embedding-bits <2|4|8>', 'of tables; 8 if left out', wholeNumber)
  .option('--head-bits <2|4|8>', 'of the product that has a column for each row of a table; 8 if left out', wholeNumber)
  .option('--data <folder>', 'for gptq and awq: the folders test_data_set_0 … on which the model is run')
  .option('--accuracy-level <0-4>', "onnxruntime's: 4 lets activations be 8-bit integers", wholeNumber)
  .addOption(
    new Option('--types <operator>', 'types to quantise (repeatable)').choices(DYNAMIC_TYPES).argParser(repeated),
  )
  .addOption(new Option('--weight-type <type>', 'int8 if left out, but uint8 for Conv').choices(BYTE_TYPES))
  .option('--per-channel', 'a scale for each column of a weight')
  .option('--reduce-range', 'keep weights to 7 bits')
  .addHelpText('after', EXAMPLES);

type What = 'weights' | 'dynamic';
type Choices = Omit<ReturnType<typeof command.opts>, 'output'>;

const onProgress = ({ stage, done, total, node }: QuantizeProgress): void =>
  progress(`quantising ${stage}: ${done} of ${total} ${node}`);

async function quantized(what: What, model: Model, { data, ...choices }: Choices): Promise<Model> {
  const tools = await import('../../tools/index.js');
  const options = { ...(choices as object), ...(data && { feeds: samplesIn(data, model) }), onProgress };
  if (what === 'weights') return tools.quantizeWeights(model, options);
  return tools.quantizeDynamic(model, options);
}

function requireOwn(what: What, choices: Choices): void {
  const other = what === 'weights' ? 'dynamic' : 'weights';
  const foreign = ONLY[other].find((name) => name in choices);
  if (!foreign) return;
  const flag = `--${foreign.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new UsageError(`${flag} belongs to "quantize ${other}"`);
}

export const quantizeCommand = command.action(async (what, argument, { output, ...choices }) => {
  requireOwn(what, choices);
  const model = await openDocument(argument);
  const result = await quantized(what, model, choices);
  if (result === model) throw new UsageError('nothing of this model can be quantised so, or all is excluded');
  await writeDocument(result, output);
});
