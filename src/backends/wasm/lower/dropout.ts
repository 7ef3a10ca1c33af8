import { ceilDivide, product } from '../../../graph/sizes.js';
import { dropout } from '../../../primitives/dropout.js';
import { type Lowering, lowers } from '../lowering.js';

const FILL_TILE = 65536;

function lowerDropout(c: Lowering): 'host' | undefined {
  if (c.wanted(1) && c.outputElement(1) !== 'bool') return 'host';
  c.alias(0, 0);
  if (!c.wanted(1)) return;
  const count = product(c.shape(0));
  c.launch('fill', { y: c.output(1), count, value: 1 }, ceilDivide(count, FILL_TILE), { writes: [c.output(1)] });
}

export const dropouts = lowers(dropout, lowerDropout);
