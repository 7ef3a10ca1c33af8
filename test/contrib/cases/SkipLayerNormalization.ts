import { float } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, pick } = draw(11);

/** Dims that `skip` may have beside those of the input. */
const narrower = (dims: readonly number[]) =>
  dims.length === 3 ? [dims, [1, ...dims.slice(1)], dims.slice(1)] : [dims];

/** A sum in float32 of another order rounds to the next half now and then: 2^-10 of it. */
const HALVES = { relative: 1e-3, absolute: 1e-5 };

const TYPES = ['float32', 'float32', 'float16'] as const;

const cases = Array.from({ length: 30 }, (_, i): Case => {
  const size = pick([1, 3, 4, 8, 17, 33]);
  const dims = chance(0.8) ? [int(1, 3), int(i === 0 ? 0 : 1, 4), size] : [int(1, 5), size];
  const type = pick(TYPES);
  const skip = pick(narrower(dims));
  const row = (): TensorValue => floats([size], 1, 0, type);
  const [beta, bias] = [chance(0.6) ? row() : null, chance(0.5) ? row() : null];
  const inputs = [floats(dims, 1, 0.5, type), floats(skip, 1, 0, type), row(), beta, bias];
  return {
    label: `${i}: ${type} [${dims}] + [${skip}]${beta ? ', beta' : ''}${bias ? ', bias' : ''}`,
    attributes: chance(0.8) ? { epsilon: float(pick([1e-12, 1e-5, 0.1])) } : {},
    inputs: bias ? inputs : inputs.slice(0, beta ? 4 : 3),
    constants: chance(0.5) ? [2, 3, 4] : [],
    outputs: chance(0.6) ? [0, 3] : [0],
    ...(type === 'float16' && { tolerance: HALVES }),
  };
});

export const operator: OperatorCases = { op: 'SkipLayerNormalization', cases };
