import { Command } from '@commander-js/extra-typings';
import { SardonyxError } from '../../base/errors.js';
import { type Io, STANDARD } from '../io.js';
import { readBytes } from '../read-file.js';
import { concerning } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = `
What is wrong in the text is said with its line and column.

Examples:
  sardonyx parse model.onnxtxt -o model.onnx
  sardonyx print model.onnx --lossless | sed 's/Relu/LeakyRelu/' | sardonyx parse - -o leaky.onnx`;

export const parseCommand = (io: Io) =>
  new Command('parse')
    .description("Make a model of ONNX's text syntax.")
    .argument('<text>', 'a file of text, or - for standard input')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', EXAMPLES)
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
    throw new SardonyxError('INVALID_TEXT', 'this is no text in UTF-8; print makes text of a model', {}, { cause });
  }
}
