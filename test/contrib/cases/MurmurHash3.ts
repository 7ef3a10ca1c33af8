import { tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int } = draw(30);

const TYPES: readonly ElementType[] = ['int32', 'uint32', 'int64', 'uint64', 'float32', 'float64', 'string'];
const LETTERS = [...'abcdefghijkl äßç日本 👍'];
const text = () => Array.from({ length: int(0, 9) }, () => LETTERS[int(0, LETTERS.length - 1)]).join('');

function keys(type: ElementType, dims: readonly number[]) {
  if (type === 'string') return tensor(type, dims, Array.from({ length: dims.reduce((n, d) => n * d, 1) }, text));
  return type.startsWith('float') ? floats(dims, 1, 0, type) : ints(type, dims, type.startsWith('u') ? 0 : -1e6, 1e6);
}

const cases = Array.from({ length: 28 }, (_, i): Case => {
  const type = TYPES[i % TYPES.length] ?? 'int32';
  const dims = Array.from({ length: i % 4 }, () => int(1, 5));
  return {
    label: `${type}[${dims}]`,
    inputs: [keys(type, dims)],
    attributes: { ...(i % 2 && { positive: (i >> 2) % 2 }), ...(i % 3 && { seed: int(0, 1e9) }) },
    constants: i % 9 === 8 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'MurmurHash3', tolerance: { relative: 0, absolute: 0 }, cases };
