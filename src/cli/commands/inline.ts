import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { MODEL, newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { plural } from '../quantities.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = ['inline model.onnx -o flat.onnx', 'inline model.onnx --only pkg.torch.Attention -o flat.onnx'];

const NOTES = `
A function stays if it uses another opset than the model and operators that differ between the two.`;

export const inlineCommand = (io: Io) =>
  newCommand('inline', 'Replace calls of model functions by the bodies of the functions.', EXAMPLES)
    .argument('<model>', MODEL)
    .option('--only <functions...>', 'inline only these functions, as domain.name')
    .option('--except <functions...>', 'inline all functions except these')
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--json', SUMMARY_JSON)
    .addHelpText('after', NOTES)
    .action(async (argument, { only, except, ...destination }) => {
      if (only && except) throw new UsageError('--only and --except cannot be combined');
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
