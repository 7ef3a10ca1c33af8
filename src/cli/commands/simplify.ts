import { Command } from '@commander-js/extra-typings';
import type { Model } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { assigned, collected, wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';
import { refuseBoth } from '../written.js';

const EXAMPLES = `
The result has fewer nodes, in standard operators of the model's own opsets, so that every runtime takes it; what was not concerned
stays as it is in the file. --list names the passes, each of which can be left out.

Examples:
  sardonyx simplify model.onnx -o simple.onnx
  sardonyx simplify bert.onnx -o simple.onnx --dim batch=1 --dim sequence=128 --verify 3
  sardonyx simplify model.onnx -o simple.onnx --skip 'equal nodes merged'`;

export const simplifyCommand = (io: Io) =>
  new Command('simplify')
    .description('Write a model with fewer nodes, which computes the same in every runtime.')
    .argument('[model]', 'an ONNX file, its URL, or - for standard input')
    .option('-o, --output <file>', 'the file to write; - is standard output')
    .option('--dim <symbol=size>', 'fix the size of an open dimension (repeatable)', assigned(wholeNumber))
    .option('--skip <pass>', 'leave a pass out (repeatable)', collected)
    .option('--verify <n>', 'run the result beside the model on so many random inputs', wholeNumber, 0)
    .option('--list', 'print the names of the passes, and do nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (argument, { output, dim = [], skip = [], verify, list, json }) => {
      const { simplify, simplifyPasses } = await import('../../tools/on-demand.js');
      if (list) return json ? io.printJson(simplifyPasses) : io.print(simplifyPasses.join('\n'));
      if (argument === undefined) throw new UsageError('name the model to simplify');
      if (output === undefined) throw new UsageError('--output is missing: the file to write, or -');
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

/** Operators that there are more or fewer of, the largest change first. */
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
    ...(passes.length > 0 ? [table(['pass', '>times'], passes), ''] : []),
    `${plural(nodes.before, 'node')} became ${nodes.after}`,
  ].join('\n');
}
