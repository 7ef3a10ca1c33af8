import { SardonyxError } from '../../base/errors.js';
import { type Io, STANDARD } from '../io.js';
import { newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { readBytes } from '../read-file.js';
import { concerning } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = [
  'parse model.onnxtxt -o model.onnx',
  "print model.onnx --lossless | sed 's/Relu/LeakyRelu/' | sardonyx parse - -o leaky.onnx",
];

export const parseCommand = (io: Io) =>
  newCommand('parse', 'Build a model from ONNX text syntax, as "sardonyx print" writes it.', EXAMPLES)
    .argument('<text>', 'text file, or - for standard input')
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--json', SUMMARY_JSON)
    .action(async (argument, destination) => {
      const bytes = argument === STANDARD ? await io.standardInput('the text') : readBytes(argument);
      const { parseModel } = await import('../../tools/on-demand.js');
      const model = concerning(argument, () => parseModel(decoded(bytes)));
      await deliverDocument(io, model, destination);
    });

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SardonyxError(
      'INVALID_TEXT',
      'the file is not UTF-8 text; "sardonyx print" converts a model to text',
      {},
      { cause },
    );
  }
}
