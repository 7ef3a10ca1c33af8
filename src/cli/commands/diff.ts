import type { Change } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { MODEL, newCommand } from '../new-command.js';
import { wholeNumber } from '../option-values.js';
import { formatError, plural } from '../quantities.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = [
  'diff before.onnx after.onnx',
  'diff model.onnx quantized.onnx --no-weights --limit 20',
  `diff before.onnx after.onnx --json | jq -r '.changes[] | select(.part == "attribute") | .name'`,
];

const NOTES = `
The exit status is 1 if the models differ.`;

export const diffCommand = (io: Io) =>
  newCommand('diff', 'List the differences between two models.', EXAMPLES)
    .argument('<model>', MODEL)
    .argument('<other>', 'ONNX file or URL of the changed model')
    .option('--no-weights', 'ignore the values of weights')
    .option('--limit <n>', 'maximum number of changes to print', wholeNumber, 1000)
    .option('--json', 'print JSON')
    .addHelpText('after', NOTES)
    .action(async (argument, other, { weights, limit, json }) => {
      if (argument === '-' && other === '-')
        throw new UsageError('only one of the models can come from standard input; name a file for the other');
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
  if (changes.length === 0) return 'no differences';
  const rows = changes
    .slice(0, limit)
    .map((change) => [change.part, change.change, change.path, change.name, whatOf(change)]);
  const counts = new Map<string, number>();
  for (const { part, change } of changes) counts.set(`${part} ${change}`, (counts.get(`${part} ${change}`) ?? 0) + 1);
  const left = changes.length - rows.length;
  return [
    ...(rows.length > 0 ? [table(['', '', 'graph', 'name', ''], rows), ''] : []),
    ...(left > 0 ? [`and ${left} more (--limit)`] : []),
    `${plural(changes.length, 'change')}: ${[...counts].map(([what, count]) => `${count} ${what}`).join(', ')}`,
  ].join('\n');
}

function whatOf({ before, after, weights }: Change): string {
  if (weights)
    return `${before}: ${weights.count} of ${weights.of} elements differ by up to ${formatError(weights.maxAbs)}`;
  return [before, after].filter((text) => text !== undefined).join(' → ');
}
