import { Command } from '@commander-js/extra-typings';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = `
Inputs that are not named are those of the model, as far as the outputs follow from them. The part has its functions, and the
weights that it reads.

Examples:
  sardonyx extract model.onnx --outputs /encoder/out -o encoder.onnx
  sardonyx extract model.onnx --inputs /encoder/out mask --outputs logits -o decoder.onnx`;

export const extractCommand = (io: Io) =>
  new Command('extract')
    .description('Write the part of a model between some of its values.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .option('--inputs <names...>', 'values that the part is given')
    .requiredOption('--outputs <names...>', 'values that it makes')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (argument, { inputs, outputs, ...destination }) => {
      const model = await openDocument(io, argument);
      const { extractModel } = await import('../../tools/on-demand.js');
      await deliverDocument(io, await extractModel(model, inputs, outputs), destination);
    });
