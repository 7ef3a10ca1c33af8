import type { Model } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { MODEL, newCommand, OUTPUT } from '../new-command.js';
import { assigned, collected, wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';
import { refuseBoth } from '../written.js';

const EXAMPLES = [
  'simplify model.onnx -o simple.onnx',
  'simplify bert.onnx -o simple.onnx --dim batch=1 --dim sequence=128 --verify 3',
  "simplify model.onnx -o simple.onnx --skip 'equal nodes merged'",
  'simplify --list',
];

const NOTES = `
The result uses only operators of the model's opsets, so that every runtime can load it.`;

export const simplifyCommand = (io: Io) =>
  newCommand('simplify', 'Reduce the number of nodes in a model without changing its results.', EXAMPLES)
    .argument('[model]', MODEL)
    .option('-o, --output <file>', OUTPUT)
    .option('--dim <name=size>', 'fix a dynamic dimension (repeatable)', assigned(wholeNumber))
    .option('--skip <pass>', 'skip a pass (repeatable)', collected)
    .option('--verify <n>', 'compare the results of both models on n random inputs', wholeNumber, 0)
    .option('--list', 'print the names of the passes and exit')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', NOTES)
    .action(async (argument, { output, dim = [], skip = [], verify, list, json }) => {
      const { simplify, simplifyPasses } = await import('../../tools/on-demand.js');
      if (list) return json ? io.printJson(simplifyPasses) : io.print(simplifyPasses.join('\n'));
      if (argument === undefined)
        throw new UsageError("missing required argument 'model'; see sardonyx simplify --help");
      if (output === undefined) throw new UsageError('missing required option --output: the file to write, or -');
      refuseBoth({ output, json });
      const model = await openDocument(io, argument);
      io.progress(`simplifying ${argument}`);
      const sizes = Object.fromEntries(dim.map(({ name, value }) => [name, value]));
      const result = await simplify(model, { skip, sizes, verify });
      const [before, after] = [operatorsIn(model), operatorsIn(result.model)] as const;
      const report = {
        nodes: { before: sum(before), after: sum(after) },
        operators: changes(before, after),
        rewrites: result.rewrites,
      };
      await writeDocument(io, result.model, output);
      if (json) io.printJson(report);
      else (output === STANDARD ? io.note : io.print)(described(report));
    });

type Counts = ReadonlyMap<string, number>;

/** Nodes of the graph itself, by operator. */
function operatorsIn({ proto }: Model): Counts {
  const counts = new Map<string, number>();
  for (const { opType } of proto.graph?.node ?? []) counts.set(opType, (counts.get(opType) ?? 0) + 1);
  return counts;
}

const sum = (counts: Counts): number => [...counts.values()].reduce((total, count) => total + count, 0);

/** Operators whose number changed, the largest change first. */
const changes = (before: Counts, after: Counts) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((operator) => ({ operator, before: before.get(operator) ?? 0, after: after.get(operator) ?? 0 }))
    .filter((change) => change.before !== change.after)
    .sort((a, b) => Math.abs(b.before - b.after) - Math.abs(a.before - a.after));

interface Report {
  readonly nodes: { readonly before: number; readonly after: number };
  readonly operators: ReturnType<typeof changes>;
  readonly rewrites: Readonly<Record<string, number>>;
}

function described({ nodes, operators, rewrites }: Report): string {
  const rows = operators.map(({ operator, before, after }) => [operator, String(before), String(after)]);
  const passes = Object.entries(rewrites).map(([pass, count]) => [pass, String(count)]);
  return [
    ...(rows.length > 0 ? [table(['operator', '>before', '>after'], rows), ''] : []),
    ...(passes.length > 0 ? [table(['pass', '>rewrites'], passes), ''] : []),
    `${plural(nodes.before, 'node')} → ${nodes.after}`,
  ].join('\n');
}
