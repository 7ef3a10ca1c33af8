import { float, tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, int, ints, pick, unit } = draw(54);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const [batch, length, size, words, places] = [int(1, 3), int(1, 5), int(2, 9), int(2, 6), int(5, 7)];
  const type = pick(['int8', 'uint8'] as const);
  const [isSegmented, mask] = [chance(0.7), chance(0.5)];
  const table = (dims: readonly number[]) => ints(type, dims, type === 'int8' ? -128 : 0, type === 'int8' ? 127 : 255);
  const scale = () => tensor('float32', [], [0.005 + unit() * 0.02]);
  const zero = () => ints(type, [], 0, 100);
  const segmented = <T>(make: () => T) => (isSegmented ? make() : null);
  const inputs = [
    ints('int32', [batch, length], 0, words - 1),
    segmented(() => ints('int32', [batch, length], 0, 1)),
    table([words, size]),
    table([places, size]),
    segmented(() => table([2, size])),
    table([size]),
    table([size]),
    mask ? ints('int32', [batch, length], 0, 1) : null,
    scale(),
    scale(),
    segmented(scale),
    scale(),
    scale(),
    zero(),
    zero(),
    segmented(zero),
    zero(),
    zero(),
  ];
  return {
    label: `${i}: ${type}, [${batch},${length}] of ${size}${isSegmented ? ', segments' : ''}${mask ? ', masked' : ''}`,
    attributes: chance(0.5) ? { epsilon: float(0.1) } : {},
    inputs,
    constants: chance(0.6) ? Array.from({ length: 18 }, (_, at) => at).filter((at) => at > 1 && at !== 7) : [],
    outputs: [0, 1],
  };
});

export const operator: OperatorCases = { op: 'QEmbedLayerNormalization', cases };
