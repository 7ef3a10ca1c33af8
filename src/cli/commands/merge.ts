import type { Model } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = [
  'merge preprocess.onnx model.onnx --map pixels:input -o whole.onnx',
  'merge a.onnx b.onnx --map y:x y:mask --outputs logits -o whole.onnx',
  'merge model.onnx model.onnx --map y:x --prefix1 first/ --prefix2 second/ -o twice.onnx',
];

const NOTES = `
Both models must import the same opsets; "sardonyx convert" changes them. Inputs and outputs that are not connected remain.`;

export const mergeCommand = (io: Io) =>
  newCommand('merge', 'Connect the outputs of one model to the inputs of another.', EXAMPLES)
    .argument('<first>', 'ONNX file or URL of the model that runs first')
    .argument('<second>', 'ONNX file or URL of the model that runs second')
    .requiredOption('--map <output:input...>', 'connect outputs of the first model to inputs of the second')
    .option('--inputs <names...>', 'inputs of the merged model (default: all unconnected inputs)')
    .option('--outputs <names...>', 'outputs of the merged model (default: all unconnected outputs)')
    .option('--prefix1 <text>', 'prefix for all names of the first model')
    .option('--prefix2 <text>', 'prefix for all names of the second model')
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--json', SUMMARY_JSON)
    .addHelpText('after', NOTES)
    .action(async (one, other, { map, output, json, ...options }) => {
      const [first, second] = [await openDocument(io, one), await openDocument(io, other)];
      const { mergeModels } = await import('../../tools/on-demand.js');
      const merged = mergeModels(first, second, {
        ...options,
        map: map.map((pair) => connection(pair, first, second)),
      });
      await deliverDocument(io, merged, { output, json });
    });

/** Parses `output:input`, whose names may contain colons. */
function connection(pair: string, first: Model, second: Model): readonly [string, string] {
  const splits = [...pair.matchAll(/:/g)].map(({ index }) => [pair.slice(0, index), pair.slice(index + 1)] as const);
  const [anyway] = splits;
  if (!anyway) throw new UsageError(`--map ${pair}: expected OUTPUT:INPUT`);
  const has = (infos: readonly { readonly name: string }[] | undefined, name: string) =>
    infos?.some((info) => info.name === name);
  return (
    splits.find(([from, to]) => has(first.proto.graph?.output, from) && has(second.proto.graph?.input, to)) ?? anyway
  );
}
