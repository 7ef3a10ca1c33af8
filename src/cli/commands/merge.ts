import { Command } from '@commander-js/extra-typings';
import type { Model } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = `
The models import the same opsets; convert one of them where they do not. Inputs and outputs that are not connected stay.

Examples:
  sardonyx merge preprocess.onnx model.onnx --map pixels:input -o whole.onnx
  sardonyx merge a.onnx b.onnx --map y:x y:mask --outputs logits -o whole.onnx
  sardonyx merge model.onnx model.onnx --map y:x --prefix1 first/ --prefix2 second/ -o twice.onnx`;

export const mergeCommand = (io: Io) =>
  new Command('merge')
    .description('Put one model behind another.')
    .argument('<first>', 'an ONNX file or its URL')
    .argument('<second>', 'an ONNX file or its URL')
    .requiredOption('--map <output:input...>', 'which output of the first is which input of the second')
    .option('--inputs <names...>', 'the inputs of the whole; all that are not connected, if left out')
    .option('--outputs <names...>', 'the outputs of the whole; all that are not connected, if left out')
    .option('--prefix1 <text>', 'put before all names of the first')
    .option('--prefix2 <text>', 'put before all names of the second')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (one, other, { map, output, json, ...options }) => {
      const [first, second] = [await openDocument(io, one), await openDocument(io, other)];
      const { mergeModels } = await import('../../tools/on-demand.js');
      const merged = mergeModels(first, second, {
        ...options,
        map: map.map((pair) => connection(pair, first, second)),
      });
      await deliverDocument(io, merged, { output, json });
    });

/** `output:input`, where names may have colons of their own. */
function connection(pair: string, first: Model, second: Model): readonly [string, string] {
  const splits = [...pair.matchAll(/:/g)].map(({ index }) => [pair.slice(0, index), pair.slice(index + 1)] as const);
  const [anyway] = splits;
  if (!anyway) throw new UsageError(`--map takes output:input, not "${pair}"`);
  const has = (infos: readonly { readonly name: string }[] | undefined, name: string) =>
    infos?.some((info) => info.name === name);
  return (
    splits.find(([from, to]) => has(first.proto.graph?.output, from) && has(second.proto.graph?.input, to)) ?? anyway
  );
}
