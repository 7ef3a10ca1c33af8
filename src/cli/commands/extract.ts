import { Command } from '@commander-js/extra-typings';
import { openDocument, writeDocument } from '../document.js';

const EXAMPLES = `
Inputs that are not named are those of the model, as far as the outputs follow from them. The part has its functions, and the
weights that it reads.

Examples:
  sardonyx extract model.onnx --outputs /encoder/out -o encoder.onnx
  sardonyx extract model.onnx --inputs /encoder/out mask --outputs logits -o decoder.onnx`;

export const extractCommand = new Command('extract')
  .description('Write the part of a model between some of its values.')
  .argument('<model>', 'an ONNX file, its URL, or - for standard input')
  .option('--inputs <names...>', 'values that the part is given')
  .requiredOption('--outputs <names...>', 'values that it makes')
  .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
  .addHelpText('after', EXAMPLES)
  .action(async (argument, { inputs, outputs, output }) => {
    const model = await openDocument(argument);
    const { extractModel } = await import('../../tools/index.js');
    await writeDocument(await extractModel(model, inputs, outputs), output);
  });
