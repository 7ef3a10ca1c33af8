import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { MODEL, newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = [
  'extract model.onnx --outputs /encoder/out -o encoder.onnx',
  'extract model.onnx --inputs /encoder/out mask --outputs logits -o decoder.onnx',
];

export const extractCommand = (io: Io) =>
  newCommand('extract', 'Extract the part of a model between given inputs and outputs.', EXAMPLES)
    .argument('<model>', MODEL)
    .option('--inputs <names...>', "values that become inputs (default: the model's inputs)")
    .requiredOption('--outputs <names...>', 'values that become outputs')
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--json', SUMMARY_JSON)
    .action(async (argument, { inputs, outputs, ...destination }) => {
      const model = await openDocument(io, argument);
      const { extractModel } = await import('../../tools/on-demand.js');
      await deliverDocument(io, await extractModel(model, inputs, outputs), destination);
    });
