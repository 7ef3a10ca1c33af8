import { float, tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, ints, pick, unit } = draw(55);

/** Where all keys of a query are hidden, they weigh by scores near −10000, which float32 holds to 0.001. */
const FILTERED = { relative: 1e-3, absolute: 1e-3 };

const cases = Array.from({ length: 26 }, (_, i): Case => {
  const [batch, heads, rows, size, width] = [int(1, 2), int(1, 2), int(1, 3), pick([2, 4]), int(3, 6)];
  const hidden = heads * size;
  const type = pick(['int8', 'uint8'] as const);
  const past = chance(0.3) ? int(1, 3) : 0;
  const keys = past + rows;
  const perColumn = chance(0.4);
  const columns = perColumn ? [3 * hidden] : [];
  const mask = pick([null, null, () => ints('int32', [batch], 1, keys), () => ints('int32', [batch, keys], 0, 1)]);
  const isZero = chance(0.6);
  const scale = (dims: readonly number[]) =>
    tensor(
      'float32',
      dims,
      Array.from({ length: dims[0] ?? 1 }, () => 0.005 + unit() * 0.01),
    );
  const inputs = [
    ints('uint8', [batch, rows, width], 0, 255),
    ints(type, [width, 3 * hidden], type === 'int8' ? -100 : 0, type === 'int8' ? 100 : 200),
    floats([3 * hidden]),
    scale([]),
    scale(columns),
    mask?.() ?? null,
    isZero ? ints('uint8', [], 100, 150) : null,
    isZero ? ints(type, chance(0.5) ? columns : [], 0, 100) : null,
    past ? floats([2, batch, heads, past, size]) : null,
  ];
  return {
    label: `${i}: ${type}${perColumn ? ' per column' : ''}, past ${past}${mask ? ', masked' : ''}`,
    attributes: {
      num_heads: heads,
      ...(chance(0.4) && { unidirectional: 1 }),
      ...(chance(0.3) && { scale: float(0.4) }),
    },
    inputs: inputs.slice(0, inputs.findLastIndex((input) => input) + 1),
    constants: chance(0.7) ? [1, 2, 4, 7] : [],
    outputs: past ? [0, 1] : [0],
    ...(mask && { tolerance: FILTERED }),
  };
});

export const operator: OperatorCases = { op: 'QAttention', cases };
