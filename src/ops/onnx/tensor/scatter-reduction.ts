import type { Reduction } from '../../../primitives/scatter.js';
import { entryOf } from '../../../schema/attributes.js';
import type { Inference } from '../../../schema/definition.js';

export interface ScatterAttributes {
  readonly reduction?: string;
}

const NAMES: Record<string, Reduction> = { none: 'None', add: 'Add', mul: 'Mul', min: 'Min', max: 'Max' };

export function reductionOf(c: Inference<ScatterAttributes>): Reduction {
  const { reduction = 'none' } = c.attributes;
  return (
    entryOf(NAMES, reduction) ??
    c.fail('INVALID_ATTRIBUTE', `reduction "${reduction}" is none of ${Object.keys(NAMES).join(', ')}`)
  );
}
