import { Command } from '@commander-js/extra-typings';
import type { Change } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { formatError, plural } from '../quantities.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = `
Nodes are known again by the name of what they make, by what they follow from, or by their neighbours, so that other names and
another order are told as such; weights by their names, or by who reads them, with how many elements differ and by how much.
The exit status is 1 if the models are different.

Examples:
  sardonyx diff before.onnx after.onnx
  sardonyx diff model.onnx quantized.onnx --no-weights --limit 20
  sardonyx diff before.onnx after.onnx --json | jq -r '.changes[] | select(.part == "attribute") | .name'`;

export const diffCommand = (io: Io) =>
  new Command('diff')
    .description('Say what is different in two models.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .argument('<other>', 'what it has become')
    .option('--no-weights', 'leave the contents of weights out of account')
    .option('--limit <n>', 'how many changes to print at most', wholeNumber, 1000)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (argument, other, { weights, limit, json }) => {
      if (argument === '-' && other === '-')
        throw new UsageError('standard input is one model: name a file for the other');
      const [before, after] = [await openDocument(io, argument), await openDocument(io, other)];
      const { diffModels } = await import('../../tools/on-demand.js');
      const changes = await diffModels(before, after, {
        weights,
        onProgress: ({ done, total, name }) => io.progress(`comparing weights: ${done} of ${total} `, name),
      });
      if (json) io.printJson({ different: changes.length > 0, changes });
      else io.print(described(changes, limit));
      if (changes.length > 0) io.exitCode = 1;
    });

function described(changes: readonly Change[], limit: number): string {
  if (changes.length === 0) return 'no difference';
  const rows = changes
    .slice(0, limit)
    .map((change) => [change.part, change.change, change.path, change.name, whatOf(change)]);
  const counts = new Map<string, number>();
  for (const { part, change } of changes) counts.set(`${part} ${change}`, (counts.get(`${part} ${change}`) ?? 0) + 1);
  const left = changes.length - rows.length;
  return [
    ...(rows.length > 0 ? [table(['', '', 'in', 'what', ''], rows), ''] : []),
    ...(left > 0 ? [`and ${left} more (--limit)`] : []),
    `${plural(changes.length, 'change')}: ${[...counts].map(([what, count]) => `${count} ${what}`).join(', ')}`,
  ].join('\n');
}

function whatOf({ before, after, weights }: Change): string {
  if (weights) return `${before}: ${weights.count} of ${weights.of} by up to ${formatError(weights.maxAbs)}`;
  return [before, after].filter((text) => text !== undefined).join(' → ');
}
