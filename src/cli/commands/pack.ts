import { Command } from '@commander-js/extra-typings';
import { openDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const PACKING = `
Examples:
  sardonyx pack model.onnx -o whole.onnx
  sardonyx pack https://example.org/model.onnx -o model.onnx      its external files are fetched too`;

export const packCommand = (io: Io) =>
  new Command('pack')
    .description('Put all that a model has in files beside it into one file.')
    .argument('<model>', 'an ONNX file or its URL')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', PACKING)
    .action(async (argument, destination) => {
      const model = await openDocument(io, argument);
      const { fromExternalData } = await import('../../tools/on-demand.js');
      await deliverDocument(io, await fromExternalData(model), destination);
    });

const UNPACKING = `
Equal weights are written once, and a file that was there is replaced, never appended to. Weights pass through piece by piece.

Examples:
  sardonyx unpack model.onnx -o small/model.onnx                  and small/model.onnx.data
  sardonyx unpack model.onnx -o model.onnx --location weights.bin --threshold 0`;

export const unpackCommand = (io: Io) =>
  new Command('unpack')
    .description('Put the weights of a model into one file beside it.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .requiredOption('-o, --output <file>', 'the file to write')
    .option('--location <file>', "the file of weights, in the model's folder; FILE.data if left out")
    .option('--threshold <bytes>', 'leave tensors of fewer bytes in the model; 1024 if left out', wholeNumber)
    .option('--attributes', 'tensors of attributes too, not of initializers alone')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', UNPACKING)
    .action(async (argument, { output, json, ...externalData }) => {
      if (output === STANDARD) throw new UsageError('--output -: standard output has no file beside it');
      await deliverDocument(io, await openDocument(io, argument), { output, json }, { externalData });
    });
