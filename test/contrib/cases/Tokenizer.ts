import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { int, pick } = draw(60);

const WORDS = ['a', 'bc', 'def', ' ', '  ', ',', '; ', 'Straße', '日本', '12', '345', '-', "it's", '...'];
const text = () => Array.from({ length: int(0, 8) }, () => pick(WORDS)).join(pick(['', ' ']));

const WAYS = [
  { separators: [' '] },
  { separators: [' ', ',', ';'] },
  { separators: ['[ ,;]+'] },
  { separators: [''] },
  { separators: ['bc', 'c', ' +'] },
  { tokenexp: '.' },
  { tokenexp: '[a-z]+' },
  { tokenexp: '[0-9]+|[a-zß]+' },
  { tokenexp: 'a|ab|abc|d' },
  { tokenexp: '\\w+' },
];

const cases = Array.from({ length: 30 }, (_, i): Case => {
  const way = WAYS[i % WAYS.length] ?? {};
  const dims = i % 3 === 2 ? [int(1, 2), int(1, 3)] : [int(1, 4)];
  const isByCharacter = i % WAYS.length === 3 || i % WAYS.length === 5;
  return {
    label: JSON.stringify(way),
    inputs: [tensor('string', dims, Array.from({ length: dims.reduce((n, d) => n * d, 1) }, text))],
    attributes: { ...way, mark: i % 2, pad_value: pick(['', '#', '<pad>']), mincharnum: isByCharacter ? 1 : int(1, 3) },
    constants: i % 7 === 6 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'Tokenizer', tolerance: { relative: 0, absolute: 0 }, cases };
