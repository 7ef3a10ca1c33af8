import { SardonyxError } from '../../../../base/errors.js';
import { eachOf } from '../../progress.js';
import { type Desk, isChosen } from '../desk.js';
import { benchOf, plain, restored } from './held.js';
import { OPERATORS } from './rules.js';

/** Replaces float operators by integer operators one after the other, and adds conversions. */
export async function writeOperators(desk: Desk): Promise<void> {
  requireFloat32(desk);
  const bench = benchOf(desk);
  const { sheet, settings, graph } = desk;
  await eachOf(
    'operators',
    graph.node,
    ({ name }) => name,
    settings,
    async (node) => {
      const rule = isChosen(node, settings) ? OPERATORS[node.opType] : undefined;
      sheet.nodes.set(node, (await rule?.(bench, node)) ?? plain(bench, node));
    },
  );
  const last = graph.node.at(-1);
  if (!last) return;
  const ends = graph.output.flatMap(({ name }) => restored(bench, name));
  sheet.nodes.set(last, [...(sheet.nodes.get(last) ?? []), ...ends]);
}

function requireFloat32({ floats }: Desk): void {
  if (![...floats.values()].includes('float16')) return;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    'the format QOperator supports float32 only, not float16; use the format QDQ',
  );
}
