import { dirname, join } from 'node:path';
import { openDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { MODEL, newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { wholeNumber } from '../option-values.js';
import { concerning, UsageError } from '../usage-error.js';
import { requireFolderOf } from '../write-file.js';
import { deliverDocument } from '../written.js';

const PACKING = [
  'pack model.onnx -o whole.onnx',
  'pack https://example.org/model.onnx -o model.onnx   # also download its external data',
];

export const packCommand = (io: Io) =>
  newCommand('pack', 'Move the external data of a model into the model file.', PACKING)
    .argument('<model>', 'ONNX file or URL')
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--json', SUMMARY_JSON)
    .action(async (argument, destination) => {
      const model = await openDocument(io, argument);
      const { fromExternalData } = await import('../../tools/on-demand.js');
      await deliverDocument(io, await fromExternalData(model), destination);
    });

const UNPACKING = [
  'unpack model.onnx -o small/model.onnx               # also writes small/model.onnx.data',
  'unpack model.onnx -o model.onnx --location weights.bin --threshold 0',
];

export const unpackCommand = (io: Io) =>
  newCommand('unpack', 'Move the weights of a model into an external data file.', UNPACKING)
    .argument('<model>', MODEL)
    .requiredOption('-o, --output <file>', 'model file to write')
    .option('--location <file>', "path of the weights, relative to the model's folder (default: FILE.data)")
    .option('--threshold <bytes>', 'keep smaller tensors in the model (default: 1024)', wholeNumber)
    .option('--attributes', 'also move tensors of attributes')
    .option('--json', SUMMARY_JSON)
    .action(async (argument, { output, json, ...externalData }) => {
      if (output === STANDARD)
        throw new UsageError('--output -: a model with external data needs a folder; name a file');
      const { location } = externalData;
      if (location !== undefined)
        concerning(`--location ${location}`, () => requireFolderOf(join(dirname(output), location)));
      await deliverDocument(io, await openDocument(io, argument), { output, json }, { externalData });
    });
