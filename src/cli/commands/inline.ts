import { Command } from '@commander-js/extra-typings';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { plural } from '../quantities.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = `
Calls in subgraphs and in other functions are replaced, too. A function that is written for another opset than the model, with
operators that differ between the two, stays.

Examples:
  sardonyx inline model.onnx -o flat.onnx
  sardonyx inline model.onnx --only pkg.torch.Attention -o flat.onnx`;

export const inlineCommand = (io: Io) =>
  new Command('inline')
    .description("Put the bodies of a model's functions where they are called.")
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .option('--only <functions...>', 'these functions, as domain.name')
    .option('--except <functions...>', 'all functions but these')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (argument, { only, except, ...destination }) => {
      if (only && except) throw new UsageError('--only and --except: give one of them');
      const model = await openDocument(io, argument);
      const { inlineFunctions } = await import('../../tools/on-demand.js');
      const named = only ?? except;
      const options = named ? { ids: named.map(functionOf), exclude: except !== undefined } : {};
      const inlined = await inlineFunctions(model, options);
      io.progress(`${plural(inlined.proto.functions.length, 'function')} left`);
      await deliverDocument(io, inlined, destination);
    });

const functionOf = (name: string): readonly [string, string] => {
  const dot = name.lastIndexOf('.');
  return [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
};
