import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(63);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const [words, window, filters, size, known] = [int(1, 4), int(1, 3), int(1, 4), int(1, 5), int(2, 8)];
  const length = window + int(0, 5);
  const letters = Array.from({ length: words }, () => {
    const used = int(1, length);
    return Array.from({ length }, (_, at) => (at < used ? int(1, known - 1) : 0));
  }).flat();
  return {
    label: `${[words, length]} by ${window}`,
    inputs: [
      tensor('int32', [words, length], letters),
      floats([filters, 1, window, size], 0.5),
      floats([filters]),
      floats([known, size]),
    ],
    attributes: i % 2 ? { embedding_size: filters, conv_window_size: window, char_embedding_size: size } : {},
    constants: i % 3 ? [1, 2, 3] : [],
  };
});

export const operator: OperatorCases = { op: 'WordConvEmbedding', cases };
