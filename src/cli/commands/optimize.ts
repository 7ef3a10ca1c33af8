import { Option } from '@commander-js/extra-typings';
import type { Io } from '../io.js';
import { MODEL, newCommand, OUTPUT } from '../new-command.js';
import { optimizeModel } from '../optimize-model.js';
import { assigned, wholeNumber } from '../option-values.js';

const EXAMPLES = [
  'optimize model.onnx -o optimized.onnx',
  'optimize bert.onnx -o bert-128.onnx --dim batch=1 --dim sequence=128 --level extended',
  'compare model.onnx --with optimized.onnx',
];

const NOTES = `
The result uses only operators of the model's opsets, so that every runtime can load it. Levels:
  basic     fold constants, remove nodes without effect, merge equal nodes, inline functions, remove unused parts
  extended  also fuse nodes into operators that the opset has: LayerNormalization (opset 17), Gelu (20),
            GroupNormalization (21), HardSwish (14), Swish (24)`;

const command = () =>
  newCommand('optimize', 'Optimize the graph of a model, with standard operators only.', EXAMPLES)
    .argument('<model>', MODEL)
    .requiredOption('-o, --output <file>', OUTPUT)
    .addOption(
      new Option('--level <level>', 'optimization level')
        .choices(['basic', 'extended'] as const)
        .default('basic' as const),
    )
    .option('--dim <name=size>', 'fix a dynamic dimension (repeatable)', assigned(wholeNumber))
    .option('--external-data', 'write weights to FILE.data; automatic for models above 2 GB')
    .option('--json', 'print JSON')
    .addHelpText('after', NOTES);

export const optimizeCommand = (io: Io) =>
  command().action((argument, options) => optimizeModel(io, argument, options));
