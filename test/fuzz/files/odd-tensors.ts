import { ELEMENTS, type ElementType, isFloat } from '../../../src/tensor/element-types.js';
import { emptyData } from '../../../src/tensor/empty-data.js';
import { tensorOf, tensorOfBigints } from '../../../src/tensor/numbers.js';
import { elementCount, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { ELEMENT_TYPES, FLOATS, oddDims, oddInteger, STRINGS } from './odd.js';
import type { Random } from './random.js';

/** A whole tensor, of small dims and odd values; of `type` more often than of another. */
export function oddTensor(random: Random, type: ElementType = random.pick(ELEMENT_TYPES), dims = oddDims(random)) {
  return oddValues(random.chance(0.7) ? type : random.pick(ELEMENT_TYPES), dims, random);
}

export function oddValues(type: ElementType, dims: readonly number[], random: Random): TensorValue {
  const count = elementCount(dims);
  const isUniform = random.chance(0.4);
  const list = <T>(draw: () => T): T[] => {
    const same = draw();
    return Array.from({ length: count }, () => (isUniform ? same : draw()));
  };
  if (type === 'string') return { type, dims, data: list(() => random.pick(STRINGS)) };
  if (type.startsWith('complex') || ELEMENTS[type].bits < 8) return { type, dims, data: emptyData(type, dims) };
  if (!isFloat(type) && type !== 'bool')
    return tensorOfBigints(
      type,
      dims,
      list(() => oddInteger(random)),
    );
  return tensorOf(
    type,
    dims,
    list(() => (random.chance(0.4) ? random.below(4) : random.pick(FLOATS))),
  );
}
