import { account } from '../../../account.js';
import type { Node } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { type AttributeValues, entryOf, floats, int, ints, string, strings } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

const attributes = {
  max_gram_length: int.required,
  max_skip_count: int.required,
  min_gram_length: int.required,
  mode: string.required,
  ngram_counts: ints.required,
  ngram_indexes: ints.required,
  pool_int64s: ints(),
  pool_strings: strings(),
  weights: floats(),
};

type Attributes = AttributeValues<typeof attributes>;
type Token = number | string;

/** N-grams by their tokens: the path to a node is the tokens so far, and a node may end an n-gram. */
interface Trie {
  readonly next: Map<Token, Trie>;
  /** Index of the n-gram of the pool that ends here. */
  gram?: number;
}

const tries = new WeakMap<Node, Trie>();

/** Builds the trie of the pool's n-grams: those of length 1 from ngram_counts[0] on, of length 2 from ngram_counts[1] on, … */
function trieOf(c: Inference<Attributes>): Trie {
  const known = tries.get(c.node);
  if (known) return known;
  const { ngram_counts: starts, pool_int64s, pool_strings, ngram_indexes } = c.attributes;
  const pool: readonly Token[] = pool_strings?.length ? pool_strings : (pool_int64s ?? []);
  const root: Trie = { next: new Map() };
  let gram = 0;
  starts.forEach((start, i) => {
    const end = starts[i + 1] ?? pool.length;
    const n = i + 1;
    if (start < 0 || end < start || end > pool.length || (end - start) % n !== 0)
      c.fail('INVALID_ATTRIBUTE', `ngram_counts [${starts}] does not match a pool of ${pool.length}`);
    for (let at = start; at < end; at += n) {
      let node = root;
      for (const token of pool.slice(at, at + n)) {
        const next = node.next.get(token) ?? { next: new Map() };
        node.next.set(token, next);
        node = next;
      }
      node.gram = gram++;
    }
  });
  if (gram !== ngram_indexes.length)
    c.fail('INVALID_ATTRIBUTE', `ngram_indexes has ${ngram_indexes.length} entries, but the pool has ${gram} n-grams`);
  tries.set(c.node, root);
  return root;
}

/** Counts each n-gram of the pool in `tokens`, with up to max_skip_count tokens skipped between its own. */
function countGrams({ attributes: a }: Inference<Attributes>, trie: Trie, tokens: readonly Token[]): number[] {
  const counts = new Array<number>(a.ngram_indexes.length).fill(0);
  const longest = Math.min(a.max_skip_count + 1, tokens.length);
  for (let stride = 1; stride <= longest; stride++) {
    for (let start = 0; start < tokens.length; start++) {
      account()?.spend(8 * a.max_gram_length);
      let node: Trie | undefined = trie;
      for (let n = 1, at = start; n <= a.max_gram_length && at < tokens.length; n++, at += stride) {
        node = node.next.get(tokens[at] as Token);
        if (!node) break;
        const isNew = n > 1 || stride === 1;
        if (node.gram !== undefined && n >= a.min_gram_length && isNew)
          counts[node.gram] = (counts[node.gram] ?? 0) + 1;
      }
    }
  }
  return counts;
}

const MODES: Readonly<Record<string, (count: number, weight: number) => number>> = {
  TF: (count) => count,
  IDF: (count, weight) => (count > 0 ? weight : 0),
  TFIDF: (count, weight) => count * weight,
};

const tokensOf = ({ type, data }: TensorValue): readonly Token[] =>
  type === 'string' ? (data as readonly string[]) : Array.from(data as ArrayLike<unknown>, Number);

const widthOf = ({ attributes: a }: Inference<Attributes>) =>
  a.ngram_indexes.reduce((most, index) => Math.max(most, index + 1), 0);

/** https://onnx.ai/onnx/operators/onnx__TfIdfVectorizer.html */
export const tfIdfVectorizer = defineOp({
  name: 'TfIdfVectorizer',
  since: 9,
  signature: 'X: T -> Y: float32',
  types: { T: ['string', 'int32', 'int64'] },
  attributes,
  infer(c) {
    const dims = c.dims(0);
    if (dims && dims.length !== 1 && dims.length !== 2)
      c.fail('INVALID_SHAPE', `input 0 must be [C] or [N,C], not [${dims}]`);
    return [tensorType('float32', dims && [...dims.slice(0, -1), widthOf(c)])];
  },
  evaluate(c) {
    const { mode, weights, ngram_indexes: columns } = c.attributes;
    const score =
      entryOf(MODES, mode) ?? c.fail('INVALID_ATTRIBUTE', `mode "${mode}" is not one of ${Object.keys(MODES)}`);
    if (weights?.length && weights.length !== columns.length)
      c.fail('INVALID_ATTRIBUTE', `there are ${weights.length} weights for ${columns.length} n-grams`);
    const x = c.tensor(0);
    const [trie, tokens, width] = [trieOf(c), tokensOf(x), widthOf(c)];
    const length = x.dims.at(-1) as number;
    const rows = x.dims.length === 2 ? (x.dims[0] as number) : 1;
    const data = new Float32Array(rows * width);
    for (let row = 0; row < rows; row++) {
      const counts = countGrams(c, trie, tokens.slice(row * length, (row + 1) * length));
      counts.forEach((count, gram) => {
        const at = row * width + (columns[gram] as number);
        data[at] = (data[at] as number) + score(count, weights?.length ? (weights[gram] as number) : 1);
      });
    }
    return [{ type: 'float32', dims: [...x.dims.slice(0, -1), width], data }];
  },
});
