import { hasUnnamed, type Size } from '../../graph/sizes.js';
import type { ValueType } from '../../graph/types.js';

export type Shaped = Extract<ValueType, { kind: 'tensor' | 'sparse' }>;

/** Merges the declared and the inferred type of a value; undefined if they contradict each other. */
export function merged(declared: ValueType, found: ValueType): ValueType | undefined {
  // A value is also a valid optional.
  if (declared.kind === 'optional' && found.kind !== 'optional')
    return merged(declared, { kind: 'optional', of: found });
  if (declared.kind !== 'optional' && found.kind === 'optional')
    return merged({ kind: 'optional', of: declared }, found);
  switch (declared.kind) {
    case 'tensor':
    case 'sparse':
      return found.kind === declared.kind ? mergedTensor(declared, found as Shaped) : undefined;
    case 'sequence':
    case 'optional': {
      const of = found.kind === declared.kind ? merged(declared.of, found.of) : undefined;
      return of && { ...declared, of };
    }
    case 'map': {
      const value =
        found.kind === 'map' && found.key === declared.key ? merged(declared.value, found.value) : undefined;
      return value && { ...declared, value };
    }
  }
}

function mergedTensor(declared: Shaped, found: Shaped): Shaped | undefined {
  if (declared.element !== found.element) return undefined;
  if (!declared.dims || !found.dims) return declared.dims ? declared : found;
  const dims = mergedDims(declared.dims, found.dims);
  return dims && { ...declared, dims };
}

function mergedDims(declared: readonly Size[], found: readonly Size[]): Size[] | undefined {
  if (declared.length !== found.length) return undefined;
  const dims = declared.map((dim, i) => mergedDim(dim, found[i] as Size));
  return dims.includes(undefined) ? undefined : (dims as Size[]);
}

function mergedDim(declared: Size, found: Size): Size | undefined {
  if (typeof declared === 'number') return typeof found !== 'number' || found === declared ? declared : undefined;
  return typeof found === 'number' || hasUnnamed(declared) ? found : declared;
}
