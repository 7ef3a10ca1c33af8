import { Command } from '@commander-js/extra-typings';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { write } from '../write-file.js';

const EXAMPLES = `
The text is in ONNX's own syntax, as onnx.printer prints it. --lossless has everything: parse makes the same bytes of it again.

Examples:
  sardonyx print model.onnx | less
  sardonyx print model.onnx --limit 8
  sardonyx print model.onnx --lossless -o model.onnxtxt
  diff <(sardonyx print a.onnx) <(sardonyx print b.onnx)`;

export const printCommand = (io: Io) =>
  new Command('print')
    .description("Print a model in ONNX's text syntax.")
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .option('-o, --output <file>', 'the file to write, in place of standard output')
    .option('--lossless', 'say everything that is in the file, in comments where the syntax has no place for it')
    .option('--json', 'print the text, or what was written, as JSON')
    .option('--limit <n>', 'leave out the elements of tensors that have more', wholeNumber)
    .addHelpText('after', EXAMPLES)
    .action(async (argument, { output, json, ...options }) => {
      const model = await openDocument(io, argument);
      const { toText } = await import('../../tools/on-demand.js');
      const text = toText(model, options);
      if (output !== undefined) write(output, text);
      if (json) io.printJson(output === undefined ? { text } : { output, characters: text.length });
      else if (output === undefined) io.print(text);
    });
