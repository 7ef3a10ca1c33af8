import { float } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, pick } = draw(13);

/** A sum in float32 of another order rounds to the next half now and then: 2^-10 of it. */
const HALVES = { relative: 1e-3, absolute: 1e-5 };

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 4) }, () => int(1, 5));
  const axis = int(-dims.length, dims.length - 1);
  const type = pick(['float32', 'float32', 'float64', 'float16'] as const);
  const epsilon = chance(0.5) ? { epsilon: float(pick([1e-6, 0.1])) } : {};
  return {
    label: `${i}: ${type} [${dims}] from ${axis}`,
    attributes: { ...(axis === -1 ? {} : { axis }), ...epsilon, stash_type: 1 },
    inputs: [floats(dims, 1, 0.5, type), floats(dims.slice(axis), 1, 0, type)],
    constants: chance(0.5) ? [1] : [],
    ...(type === 'float16' && { tolerance: HALVES }),
  };
});

export const operator: OperatorCases = { op: 'SimplifiedLayerNormalization', domain: '', cases };
