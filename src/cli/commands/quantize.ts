import { Argument, Command, Option } from '@commander-js/extra-typings';
import type { Model } from '../../tools/index.js';
import { FORMATS, METHODS } from '../../tools/quantize/weights/options.js';
import { openDocument, writeDocument } from '../document.js';
import { wholeNumber } from '../option-values.js';
import { progress } from '../progress.js';
import { concerning, UsageError } from '../usage-error.js';

const EXAMPLES = `
weights stores the weights of MatMul, Gemm and Gather in 2, 4 or 8 bits, by blocks with a scale each; sums stay floats. Tables
of embeddings, and the product that has a column for each of their rows, have 8 bits unless something else is said. Methods:
  rtn       to the nearest of 2^bits numbers between the least and the greatest of a block
  default   as onnxruntime does where no algorithm is named: 0 is in the range
  kquant    llama.cpp's search for scales, in which larger numbers count more
  hqq       zero points, any numbers, for which few numbers far off weigh less

Examples:
  sardonyx quantize weights model.onnx -o model-q4.onnx
  sardonyx quantize weights model.onnx -o model-q8.onnx --bits 8 --exclude 'lm_head*'
  sardonyx quantize weights model.onnx -o blocks.onnx --method kquant --format DequantizeLinear`;

const repeated = (text: string, earlier: string[] = []): string[] => [...earlier, text];

const command = new Command('quantize')
  .description('Write a model whose weights take fewer bits.')
  .addArgument(new Argument('<what>', 'what is quantised').choices(['weights'] as const))
  .argument('<model>', 'an ONNX file, its URL, or - for standard input')
  .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
  .option('--bits <2|4|8>', 'of a weight; 4 if left out', wholeNumber)
  .option('--block <n>', 'how many weights share a scale; 32 if left out', wholeNumber)
  .addOption(new Option('--method <name>', 'how scales are found; rtn if left out').choices(METHODS))
  .addOption(new Option('--format <operator>', 'what reads the weights; MatMulNBits if left out').choices(FORMATS))
  .option('--symmetric', 'without zero points')
  .option('--embedding-bits <2|4|8>', 'of tables; 8 if left out', wholeNumber)
  .option('--head-bits <2|4|8>', 'of the product that has a column for each row of a table; 8 if left out', wholeNumber)
  .option('--accuracy-level <0-4>', "onnxruntime's: 4 lets activations be 8-bit integers", wholeNumber)
  .option('--include <name>', 'nodes or weights to quantise, * for anything (repeatable)', repeated)
  .option('--exclude <name>', 'nodes or weights to leave (repeatable)', repeated)
  .addHelpText('after', EXAMPLES);

type Choices = Omit<ReturnType<typeof command.opts>, 'output'>;

const showing = {
  onProgress: ({ stage, done, total, node }: { stage: string; done: number; total: number; node: string }) =>
    progress(`quantising ${stage}: ${done} of ${total} ${node}`),
};

async function quantized(model: Model, choices: Choices): Promise<Model> {
  const { quantizeWeights } = await import('../../tools/index.js');
  const result = await quantizeWeights(model, { ...(choices as object), ...showing });
  if (result === model)
    throw new UsageError('no weight of this model is one that can be quantised, or all are excluded');
  return result;
}

export const quantizeCommand = command.action(async (_, argument, { output, ...choices }) => {
  const model = await openDocument(argument);
  await writeDocument(await concerning(argument, () => quantized(model, choices)), output);
});
