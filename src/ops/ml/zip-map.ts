import type { ValueType } from '../../graph/types.js';
import { ints, strings } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';

interface Attributes {
  readonly classlabels_int64s: readonly number[] | undefined;
  readonly classlabels_strings: readonly string[] | undefined;
}

/** Integer labels as keys, created once instead of in every run. */
const KEYS = new WeakMap<readonly number[], readonly bigint[]>();

/** The labels as keys of the maps. int64 becomes bigint, so that an element of an int64 tensor of labels finds its entry. */
function keysOf(c: Inference<Attributes>): readonly (string | bigint)[] {
  const { classlabels_int64s: numbers, classlabels_strings: names } = c.attributes;
  if (names?.length) return names;
  if (numbers?.length) {
    const keys = KEYS.get(numbers) ?? numbers.map(BigInt);
    KEYS.set(numbers, keys);
    return keys;
  }
  return c.fail('INVALID_ATTRIBUTE', 'has no class labels; it needs classlabels_int64s or classlabels_strings');
}

/**
 * https://onnx.ai/onnx/operators/onnx_aionnxml_ZipMap.html: a Map for each row, from the label of each column (string or bigint) to its
 * value.
 */
export const zipMap = defineOp({
  domain: 'ai.onnx.ml',
  name: 'ZipMap',
  signature: 'X: float32 -> Z: T',
  attributes: { classlabels_int64s: ints(), classlabels_strings: strings() },
  infer(c): ValueType[] {
    const key = c.attributes.classlabels_strings?.length ? 'string' : 'int64';
    return [{ kind: 'sequence', of: { kind: 'map', key, value: { kind: 'tensor', element: 'float32', dims: [] } } }];
  },
  evaluate(c) {
    const { dims, data } = c.tensor(0);
    const keys = keysOf(c);
    if (dims.at(-1) !== keys.length)
      c.fail('INVALID_SHAPE', `input 0 is [${dims}]; it must have a column for each of ${keys.length} class labels`);
    const rows = dims.length === 1 ? 1 : (dims[0] as number);
    const maps: Map<string | bigint, number>[] = [];
    for (let row = 0; row < rows; row++) {
      const map = new Map<string | bigint, number>();
      for (let i = 0; i < keys.length; i++) map.set(keys[i] as string, data[row * keys.length + i] as number);
      maps.push(map);
    }
    return [maps];
  },
});
