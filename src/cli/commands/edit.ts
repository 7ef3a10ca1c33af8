import { Command } from '@commander-js/extra-typings';
import type { DimsToSet, Model, Size } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = `
All names are those of the model as it was. A node is removed with what only it needed; who read what it made reads its input.

Examples:
  sardonyx edit model.onnx --rename input.1=pixels 495=logits -o model2.onnx
  sardonyx edit model.onnx --dim pixels.0=batch -o any-batch.onnx        another size of an input or output
  sardonyx edit model.onnx --dim batch=1 sequence=128 -o fixed.onnx      numbers for sizes that have names
  sardonyx edit model.onnx --add-output /layer1/Relu_output_0 -o debug.onnx
  sardonyx edit model.onnx --remove /Softmax --clean-up -o logits.onnx`;

export const editCommand = (io: Io) =>
  new Command('edit')
    .description('Rename, resize, add or remove parts of a model.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .option('--remove <nodes...>', 'nodes, by their name or that of what they make')
    .option('--add-output <names...>', 'values that become outputs')
    .option('--dim <size...>', 'value.place=size, or name=size; a size is a number, a name or ?')
    .option('--rename <old=new...>', 'values that get another name')
    .option('--deduplicate', 'keep one of equal weights')
    .option('--clean-up', 'remove what nothing follows from')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (argument, { output, json, ...options }) => {
      if (Object.keys(options).length === 0) throw new UsageError('nothing is to be edited; see sardonyx edit --help');
      await deliverDocument(io, await edited(await openDocument(io, argument), options), { output, json });
    });

interface Options {
  readonly remove?: readonly string[];
  readonly addOutput?: readonly string[];
  readonly dim?: readonly string[];
  readonly rename?: readonly string[];
  readonly deduplicate?: true;
  readonly cleanUp?: true;
}

/** New names come last, so that options can use the old ones. */
async function edited(model: Model, options: Options): Promise<Model> {
  const tools = await import('../../tools/on-demand.js');
  let now = model;
  if (options.remove) now = await tools.removeNodes(now, options.remove);
  if (options.addOutput) now = await tools.addOutputs(now, options.addOutput);
  if (options.dim) now = await tools.setDims(now, sizesIn(options.dim, now));
  if (options.rename)
    now = tools.renameValues(now, Object.fromEntries(options.rename.map((text) => pair('--rename', text))));
  if (options.deduplicate) now = await tools.deduplicateWeights(now);
  return options.cleanUp ? tools.cleanUp(now) : now;
}

function pair(option: string, text: string): [string, string] {
  const at = text.lastIndexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`${option} "${text}" has no = between what it is and what it becomes`);
}

/** `x.0=batch` where x is an input or output, else the name of a size. */
function sizesIn(texts: readonly string[], { proto: { graph } }: Model): DimsToSet {
  const border = new Set([...(graph?.input ?? []), ...(graph?.output ?? [])].map(({ name }) => name));
  const values: Record<string, Record<number, Size>> = {};
  const symbols: Record<string, Size> = {};
  for (const text of texts) {
    const [what, to] = pair('--dim', text);
    const size = to === '?' ? '' : /^\d+$/.test(to) ? Number(to) : to;
    const [, name = '', place] = /^(.*)\.(\d+)$/.exec(what) ?? [];
    if (border.has(name)) values[name] = { ...values[name], [Number(place)]: size };
    else symbols[what] = size;
  }
  return { values, symbols };
}
