import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { MODEL, newCommand } from '../new-command.js';
import { numberOrAll } from '../option-values.js';
import { write } from '../write-file.js';

const EXAMPLES = [
  'print model.onnx | less',
  'print model.onnx --values all',
  'print model.onnx --lossless -o model.onnxtxt',
];

const NOTES = `
The text has the same form as that of onnx.printer. "sardonyx parse" turns text with all values back into a model, and
--lossless text into the same bytes.`;

/** Shapes and axes fit; weights do not. */
const ELEMENTS = 16;

export const printCommand = (io: Io) =>
  newCommand('print', 'Print a model in ONNX text syntax.', EXAMPLES)
    .argument('<model>', MODEL)
    .option('-o, --output <file>', 'write the text to a file instead of standard output')
    .option('--values <n>', 'print the data of tensors with up to n elements, or of all tensors', numberOrAll, ELEMENTS)
    .option('--lossless', 'print everything in the file, with comments for what the syntax cannot express')
    .option('--json', 'print the text, or a summary of the written file, as JSON')
    .addHelpText('after', NOTES)
    .action(async (argument, { output, json, values, lossless }) => {
      const model = await openDocument(io, argument);
      const { toText } = await import('../../tools/on-demand.js');
      const text = toText(model, { limit: values, lossless });
      if (output !== undefined) write(io, output, text);
      if (json) io.printJson(output === undefined ? { text } : { output, characters: text.length });
      else if (output === undefined) io.print(text);
    });
