import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, floats, ints, strings, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { runNode } from '../one-node.js';

const test = suite('text');

const run = (op: string, inputs: readonly TensorValue[], attributes: AttributeInputs = {}, outputs = 1) =>
  runNode(op, { inputs, attributes, outputs });

const words = (...list: string[]) => tensor('string', [list.length], list);
const row = (...list: string[]) => tensor('string', [1, list.length], list);
const contents = ({ dims, data }: TensorValue | undefined = {} as TensorValue) => ({
  dims: [...dims],
  data: [...(data as string[])],
});

test('StringConcat broadcasts', async () => {
  const [z] = await run('StringConcat', [tensor('string', [2, 1], ['a', 'b']), words('', 'é', '😀')]);
  assert.equal(contents(z), { dims: [2, 3], data: ['a', 'aé', 'a😀', 'b', 'bé', 'b😀'] });
});

const normalized: readonly [x: TensorValue, attributes: AttributeInputs, y: TensorValue][] = [
  [words('Ä', 'b'), {}, words('Ä', 'b')],
  [words('Ä', 'b'), { case_change_action: 'LOWER' }, words('ä', 'b')],
  [row('Monday', 'tuesday', 'MONDAY'), { stopwords: strings(['monday']), case_change_action: 'UPPER' }, row('TUESDAY')],
  [row('Monday', 'monday'), { stopwords: strings(['monday']), is_case_sensitive: 1 }, row('Monday')],
  [row('a', 'A'), { stopwords: strings(['a']) }, row('')],
  [words('ISPARTA', 'i'), { case_change_action: 'LOWER', locale: 'tr_TR.UTF-8' }, words('ısparta', 'i')],
  [words('straße'), { case_change_action: 'UPPER', locale: 'C' }, words('STRASSE')],
];

for (const [x, attributes, y] of normalized)
  test(`StringNormalizer of ${x.data} with ${JSON.stringify(attributes)}`, async () =>
    assert.equal(contents((await run('StringNormalizer', [x], attributes))[0]), contents(y)));

test('StringNormalizer refuses what it does not know', async () => {
  const of = (attributes: AttributeInputs) => run('StringNormalizer', [words('a')], attributes);
  await expectRejection('INVALID_ATTRIBUTE', /not one of NONE, LOWER, UPPER/, of({ case_change_action: 'TITLE' }));
  await expectRejection('INVALID_ATTRIBUTE', /"no locale!" is not a locale/, of({ locale: 'no locale!' }));
  await expectRejection(
    'INVALID_SHAPE',
    /\[C\] or \[1,C\]/,
    run('StringNormalizer', [tensor('string', [2, 1], ['a', 'b'])]),
  );
});

/** As Python's `text.split(delimiter or None, maxsplit)`. */
const split: readonly [x: TensorValue, attributes: AttributeInputs, dims: number[], y: string[], counts: bigint[]][] = [
  [words(' a  b\tc ', '', 'd'), {}, [3, 3], ['a', 'b', 'c', '', '', '', 'd', '', ''], [3n, 0n, 1n]],
  [words(' a  b\tc '), { maxsplit: 1 }, [1, 2], ['a', 'b\tc '], [2n]],
  [words(' a b '), { maxsplit: 0 }, [1, 1], ['a b '], [1n]],
  [
    words('a--b-', '', '-'),
    { delimiter: '-' },
    [3, 4],
    ['a', '', 'b', '', '', '', '', '', '', '', '', ''],
    [4n, 1n, 2n],
  ],
  [row('a::b:c', 'a::b::c'), { delimiter: '::', maxsplit: 1 }, [1, 2, 2], ['a', 'b:c', 'a', 'b::c'], [2n, 2n]],
  [tensor('string', [0, 2], []), {}, [0, 2, 0], [], []],
];

for (const [x, attributes, dims, y, counts] of split)
  test(`StringSplit of ${JSON.stringify(x.data)} with ${JSON.stringify(attributes)}`, async () => {
    const [parts, lengths] = (await run('StringSplit', [x], attributes, 2)) as [TensorValue, TensorValue];
    assert.equal(contents(parts), { dims, data: y });
    assert.equal([...(lengths.data as BigInt64Array)], counts);
  });

const bigrams = {
  mode: 'TF',
  min_gram_length: 1,
  max_gram_length: 2,
  max_skip_count: 1,
  ngram_counts: ints([0, 2]),
  ngram_indexes: ints([3, 0, 1, 2]),
};
const pool = { pool_strings: strings(['a', 'b', 'a', 'b', 'a', 'a']) };
const weights = { weights: floats([10, 20, 30, 40]) };

/** In `a b a b`: a and b twice, "a b" twice at a distance of 1, "a a" once at a distance of 2. */
const counted: readonly [x: TensorValue, attributes: AttributeInputs, dims: number[], y: number[]][] = [
  [words('a', 'b', 'a', 'b'), { ...bigrams, ...pool }, [4], [2, 2, 1, 2]],
  [words('a', 'b', 'a', 'b'), { ...bigrams, ...pool, max_skip_count: 0 }, [4], [2, 2, 0, 2]],
  [words('a', 'b', 'a', 'b'), { ...bigrams, ...pool, min_gram_length: 2 }, [4], [0, 2, 1, 0]],
  [words('a', 'b', 'a', 'b'), { ...bigrams, ...pool, ...weights, mode: 'TFIDF' }, [4], [40, 60, 40, 20]],
  [words('a', 'b', 'c', 'b'), { ...bigrams, ...pool, ...weights, mode: 'IDF' }, [4], [20, 30, 0, 10]],
  [
    tensor('int64', [2, 3], [1, 2, 2, 5, 1, 1]),
    { ...bigrams, pool_int64s: ints([1, 2, 1, 2, 1, 1]) },
    [2, 4],
    [2, 2, 0, 1, 0, 0, 1, 2],
  ],
];

for (const [x, attributes, dims, y] of counted)
  test(`TfIdfVectorizer of ${x.data} with ${JSON.stringify(attributes)}`, async () =>
    assert.equal(contents((await run('TfIdfVectorizer', [x], attributes))[0]), { dims, data: y } as never));

test('TfIdfVectorizer refuses a pool that does not fit', async () => {
  const of = (attributes: AttributeInputs) =>
    run('TfIdfVectorizer', [words('a')], { ...bigrams, ...pool, ...attributes });
  await expectRejection('INVALID_ATTRIBUTE', /does not match a pool of 6/, of({ ngram_counts: ints([0, 3]) }));
  await expectRejection('INVALID_ATTRIBUTE', /3 entries, but the pool has 4/, of({ ngram_indexes: ints([0, 1, 2]) }));
  await expectRejection('INVALID_ATTRIBUTE', /not one of TF,IDF,TFIDF/, of({ mode: 'BM25' }));
});

test.run();
