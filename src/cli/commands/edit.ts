import type { DimsToSet, Model, Size } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { MODEL, newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = [
  'edit model.onnx --rename input.1=pixels 495=logits -o model2.onnx',
  'edit model.onnx --dim pixels.0=batch -o any-batch.onnx     # make a dimension dynamic',
  'edit model.onnx --dim batch=1 sequence=128 -o fixed.onnx   # fix dynamic dimensions',
  'edit model.onnx --add-output /layer1/Relu_output_0 -o debug.onnx',
  'edit model.onnx --remove /Softmax --clean-up -o logits.onnx',
];

const NOTES = `
All options refer to the original names. Consumers of a removed node read its input instead.`;

export const editCommand = (io: Io) =>
  newCommand('edit', 'Rename values, change dimensions, add outputs or remove nodes.', EXAMPLES)
    .argument('<model>', MODEL)
    .option('--remove <nodes...>', 'remove nodes, by their name or that of an output')
    .option('--add-output <names...>', 'add values to the outputs')
    .option('--dim <size...>', 'set a dimension: value.index=size or name=size; a size is a number, a name or ?')
    .option('--rename <old=new...>', 'rename values')
    .option('--deduplicate', 'merge equal weights')
    .option('--clean-up', 'remove nodes and weights that no output depends on')
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--json', SUMMARY_JSON)
    .addHelpText('after', NOTES)
    .action(async (argument, { output, json, ...options }) => {
      if (Object.keys(options).length === 0)
        throw new UsageError('nothing to edit: pass at least one of the options in sardonyx edit --help');
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

/** Renames last, so that the other options can use the original names. */
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
  throw new UsageError(`${option} ${text}: expected OLD=NEW`);
}

/** `x.0=batch` for an input or output x, else the name of a dimension. */
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
