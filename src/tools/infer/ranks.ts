import type { NodeView } from '../../analysis/node-view.js';

/** The length of a vector; NaN if it is unknown. */
function lengthOf(c: NodeView, i: number): number {
  const dims = c.given(i) ? c.dims(i) : undefined;
  const [length] = dims?.length === 1 ? dims : [];
  return typeof length === 'number' ? length : Number.NaN;
}

const rankOf = (c: NodeView): number => c.dims(0)?.length ?? Number.NaN;

/** The rank less the number of axes; NaN if that is unknown, or 0, which may mean all or none. */
const fewerBy = (c: NodeView): number => rankOf(c) - (lengthOf(c, 1) || Number.NaN);

/** The rank of a result from the number of axes or sizes; NaN if it is unknown. */
const RANKS: Readonly<Record<string, (c: NodeView) => number>> = {
  Squeeze: fewerBy,
  Unsqueeze: (c) => rankOf(c) + lengthOf(c, 1),
  Col2Im: (c) => 2 + lengthOf(c, 1),
  AffineGrid: (c) => lengthOf(c, 1),
};

export function rankBySizes(c: NodeView): number | undefined {
  const { domain, op } = c.node;
  if (domain !== '') return undefined;
  const rank = (RANKS[op] ?? (op.startsWith('Reduce') ? fewerBy : undefined))?.(c);
  return rank !== undefined && rank >= 0 && rank <= MOST_AXES ? rank : undefined;
}

const MOST_AXES = 64;
