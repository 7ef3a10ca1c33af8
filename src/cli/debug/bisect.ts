import { openModel } from '../../session/open-model.js';
import type { Bisection } from '../../tools/index.js';
import { openDocument } from '../document.js';
import { type InputChoices, makeInputs } from '../feeds.js';
import type { Io } from '../io.js';
import { formatError, plural } from '../quantities.js';

export interface BisectChoices {
  readonly tolerance: number;
  readonly inputs: InputChoices;
  readonly json: true | undefined;
}

export async function bisect(io: Io, argument: string, { tolerance, inputs, json }: BisectChoices): Promise<void> {
  const model = await openDocument(io, argument);
  const { bisectRewrites, fromExternalData, saveModel } = await import('../../tools/on-demand.js');
  const { graph } = await openModel(await saveModel(await fromExternalData(model)), {});
  const { feeds } = await makeInputs(io, graph, inputs);
  const found = await bisectRewrites(model, feeds, {
    tolerance,
    onProgress: ({ runs, between: [low, high] }) => io.progress(`bisecting: ${low} to ${high}, ${plural(runs, 'run')}`),
  });
  if (json) io.printJson(found);
  else io.print(described(found));
  if (found.cause !== 'none') io.exitCode = 1;
}

function described(found: Bisection): string {
  const { rewrites } = found;
  if (found.cause === 'none') return `all ${plural(rewrites, 'rewrite')} keep the results within tolerance`;
  const { first } = found;
  const by = first && `${first.name} ${first.mismatch ?? `differs by ${formatError(first.relativeL2)} (rel. L2)`}`;
  if (found.cause === 'other') return `the results differ without any rewrite: ${by}`;
  const { rule, node } = found.rewrite;
  const place = found.origins.length > 0 ? ` (node ${found.origins.join(', ')} of the file)` : '';
  return `the results differ after rewrite ${found.index} of ${rewrites}, "${rule}" at "${node}"${place}: ${by}`;
}
