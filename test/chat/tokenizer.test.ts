import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { example, modelJson } from './example.js';

const test = suite('the tokenizer of examples/chat');
const { tokenizerOf } = await example('src/tokenizer.js');
const tokenizer = tokenizerOf(modelJson('tokenizer.json'));

/** As training/tokenizer.py has them, and AutoTokenizer of transformers.js 4.3. */
const ENCODED: readonly (readonly [string, readonly number[]])[] = [
  [
    'In the beginning God created the heaven and the earth.\n',
    [1156, 259, 1803, 1243, 387, 280, 555, 283, 259, 735, 268, 259, 618, 14, 199],
  ],
  [
    "Solomon's  wisdom: 40 days,\n\n  and 3 nights!",
    [51, 1160, 499, 221, 1384, 26, 221, 20, 16, 677, 12, 199, 199, 221, 268, 221, 19, 1095, 83, 1],
  ],
  [
    "Čapek, naïve 日本語 🙂 it's we'll don't",
    [
      129, 235, 1296, 949, 12, 293, 65, 128, 108, 317, 221, 163, 246, 99, 163, 251, 106, 165, 104, 253, 221, 173, 254,
      248, 225, 354, 499, 457, 7, 276, 286, 284, 7, 84,
    ],
  ],
  ['   ', [221, 221, 221]],
  ["_under_ 'tis", [63, 85, 672, 63, 221, 7, 84, 277]],
  ['', []],
];

for (const [text, ids] of ENCODED)
  test(`takes ${JSON.stringify(text)} apart and together`, () => {
    assert.equal(tokenizer.encode(text), ids);
    const decode = tokenizer.decoder();
    assert.is(ids.map(decode).join(''), text);
  });

test('waits for the rest of a character', () => {
  const decode = tokenizer.decoder();
  assert.equal(tokenizer.encode('🙂').map(decode), ['', '', '', '🙂']);
});

test('says nothing for the end of a text', () => {
  assert.is(tokenizer.decoder()(0), '');
});

test.run();
