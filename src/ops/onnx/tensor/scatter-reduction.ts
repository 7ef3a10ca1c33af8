import type { Reduction } from '../../../primitives/scatter.js';
import { entryOf } from '../../../schema/attributes.js';
import type { Inference } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';

export interface ScatterAttributes {
  readonly reduction?: string;
}

const NAMES: Record<string, Reduction> = { none: 'None', add: 'Add', mul: 'Mul', min: 'Min', max: 'Max' };

/** Reductions of types that do not support all: strings have no product, and neither strings nor complex numbers have an order. */
const OF_TYPES: Partial<Record<ElementType, readonly Reduction[]>> = {
  string: ['None', 'Add'],
  complex64: ['None', 'Add', 'Mul'],
  complex128: ['None', 'Add', 'Mul'],
};

export function reductionOf(c: Inference<ScatterAttributes>): Reduction {
  const { reduction: name = 'none' } = c.attributes;
  const reduction =
    entryOf(NAMES, name) ??
    c.fail('INVALID_ATTRIBUTE', `reduction "${name}" is not one of ${Object.keys(NAMES).join(', ')}`);
  const type = c.element(0);
  if (OF_TYPES[type]?.includes(reduction) === false)
    c.fail('INVALID_TYPE', `reduction "${name}" does not support ${type}`);
  return reduction;
}
