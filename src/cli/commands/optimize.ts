import { Command, Option } from '@commander-js/extra-typings';
import type { Io } from '../io.js';
import { optimizeModel } from '../optimize-model.js';
import { assigned, wholeNumber } from '../option-values.js';

const EXAMPLES = `
The file has the operators of the model's own opsets and no others, so that every runtime can load it. Levels:
  basic      what constants alone decide is computed, nodes that compute nothing go, equal nodes become one, the
             model's functions are put in place, what nobody reads is left out
  extended   and parts that make up an operator that the model's opset has become it: LayerNormalization (17), Gelu (20),
             GroupNormalization (21), HardSwish (14), Swish (24)
What Sardonyx does beyond that, it does in operators and layouts of its own each time a session is made.

Examples:
  sardonyx optimize model.onnx -o optimized.onnx
  sardonyx optimize bert.onnx -o bert-128.onnx --dim batch=1 --dim sequence=128 --level extended
  sardonyx compare model.onnx --with optimized.onnx`;

const command = () =>
  new Command('optimize')
    .description('Write the model as the optimizer leaves it, in standard operators.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .addOption(
      new Option('--level <level>', 'how far to go').choices(['basic', 'extended'] as const).default('basic' as const),
    )
    .option('--dim <symbol=size>', 'fix the size of an open dimension (repeatable)', assigned(wholeNumber))
    .option('--external-data', 'put the weights into FILE.data; they are, without it, where one file cannot hold them')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES);

export const optimizeCommand = (io: Io) =>
  command().action((argument, options) => optimizeModel(io, argument, options));
