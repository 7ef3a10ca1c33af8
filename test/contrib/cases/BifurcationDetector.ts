import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { ints, int } = draw(32);

const cases = Array.from({ length: 30 }, (_, i): Case => {
  const source = ints('int64', [int(2, 12)], 0, i % 2 ? 9 : 2);
  const from = int(0, source.dims[0] ?? 0);
  const tokens = Array.from(source.data as BigInt64Array).slice(from);
  const predicted = tensor('int64', [tokens.length + 1], [...tokens, 5n]);
  if (i % 3 && tokens.length > 0) (predicted.data as BigInt64Array)[int(0, tokens.length)] = 7n;
  const inputs = [source, ints('int64', [int(1, 6)], 0, 3), tensor('int64', i % 2 ? [1] : [], [BigInt(from)])];
  return {
    label: `${source.dims} from ${from}`,
    inputs: i % 4 === 3 ? inputs : [...inputs, predicted],
    attributes: { min_ngram_size: int(1, 2), max_ngram_size: int(2, 4) },
    outputs: [0, 1],
  };
});

export const operator: OperatorCases = { op: 'BifurcationDetector', tolerance: { relative: 0, absolute: 0 }, cases };
