import { isSame } from '../../../graph/guards.js';
import { multiply, product, type Size } from '../../../graph/sizes.js';
import { type TopKParameters, topK } from '../../../primitives/top-k.js';
import { type Lowering, lowers } from '../lowering.js';

/** The parameters with a k that may be symbolic. */
type OpenTopK = Omit<TopKParameters, 'k'> & { readonly k: Size };

function lowerTopK(c: Lowering, { axis, k, smallest }: OpenTopK): 'host' | undefined {
  const dims = c.shape(0);
  const length = dims[axis] as Size;
  if (c.element(0) !== 'float32' || axis !== dims.length - 1 || isSame(k, 0)) return 'host';
  const rows = product(dims.slice(0, axis));
  const count = multiply(rows, k);
  const values = c.wanted(0) ? c.output(0) : c.temporary(multiply(4, count));
  const indices = c.wanted(1) ? c.output(1) : c.temporary(multiply(8, count));
  const params = { x: c.input(0), values, indices, rows, length, k, smallest: Number(smallest) };
  c.launch('topK', params, rows, { writes: [values, indices] });
}

export const selections = lowers(topK, lowerTopK);
