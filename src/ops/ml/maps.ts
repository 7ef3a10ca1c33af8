import { isA } from '../../base/kind.js';
import { tensorType } from '../../graph/types.js';
import { entryOf, int, ints, string, strings } from '../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../schema/definition.js';
import { ELEMENTS, type ElementType, type TypedArrayConstructor } from '../../tensor/element-types.js';
import { isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import type { Key } from './lookup.js';

/** Entries of input 0; the values may be scalar tensors, as in serialized maps. */
function entriesOf(c: Evaluation<unknown>): [key: Key, value: Key][] {
  const map = c.value(0);
  if (!isA(map, 'Map')) return c.fail('INVALID_TYPE', 'input 0 must be a Map');
  return [...map].map(([key, value]) => [key, (isTensorValue(value) ? value.data[0] : value) as Key]);
}

/** A tensor from values of any type. */
function vector(
  c: Evaluation<unknown>,
  type: ElementType,
  dims: readonly number[],
  values: readonly Key[],
): TensorValue {
  const array = ELEMENTS[type].array as TypedArrayConstructor | null;
  if (!array) return { type, dims, data: values.map(String) };
  const data = new array(values.length) as unknown as Key[];
  for (const [i, value] of values.entries()) {
    const number = typeof value === 'string' ? Number(value) : value;
    data[i] = type === 'int64' ? wholeOf(c, number) : Number(number);
  }
  return { type, dims, data: data as never };
}

function wholeOf(c: Evaluation<unknown>, number: number | bigint): bigint {
  if (typeof number === 'bigint') return number;
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : c.fail('INVALID_VALUE', `${number} is not an int64`);
}

const CASTS: Record<string, ElementType> = { TO_FLOAT: 'float32', TO_STRING: 'string', TO_INT64: 'int64' };

function castTarget(c: Inference<{ readonly cast_to: string }>): ElementType {
  const { cast_to } = c.attributes;
  return (
    entryOf(CASTS, cast_to) ?? c.fail('INVALID_ATTRIBUTE', `cast_to "${cast_to}" is not one of ${Object.keys(CASTS)}`)
  );
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_CastMap.html: [1, entries] in ascending order of keys, or [1, max_map] indexed by key. */
export const castMap = defineOp({
  domain: 'ai.onnx.ml',
  name: 'CastMap',
  signature: 'X: T1 -> Y: T2',
  attributes: { cast_to: string('TO_FLOAT'), map_form: string('DENSE'), max_map: int(1) },
  infer(c) {
    const { map_form, max_map } = c.attributes;
    return [tensorType(castTarget(c), [1, map_form === 'SPARSE' ? max_map : c.unknown()])];
  },
  evaluate(c) {
    const type = castTarget(c);
    const { map_form, max_map } = c.attributes;
    const entries = entriesOf(c).sort(([a], [b]) => (a < b ? -1 : 1));
    if (map_form === 'DENSE')
      return [
        vector(
          c,
          type,
          [1, entries.length],
          entries.map(([, value]) => value),
        ),
      ];
    if (map_form !== 'SPARSE') c.fail('INVALID_ATTRIBUTE', `map_form "${map_form}" is neither DENSE nor SPARSE`);
    const values = new Array<Key>(max_map).fill(type === 'string' ? '' : 0);
    for (const [key, value] of entries) {
      if (Number(key) < 0 || Number(key) >= max_map)
        c.fail('INVALID_VALUE', `key ${key} is outside 0 … ${max_map - 1}`);
      values[Number(key)] = value;
    }
    return [vector(c, type, [1, max_map], values)];
  },
});

interface Vocabulary {
  readonly int64_vocabulary: readonly number[] | undefined;
  readonly string_vocabulary: readonly string[] | undefined;
}

const vocabularyOf = ({ attributes: a }: Inference<Vocabulary>): readonly Key[] =>
  a.string_vocabulary?.length ? a.string_vocabulary : (a.int64_vocabulary ?? []).map(BigInt);

/** https://onnx.ai/onnx/operators/onnx_aionnxml_DictVectorizer.html: [1, vocabulary]; missing keys give 0 or ''. */
export const dictVectorizer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'DictVectorizer',
  signature: 'X: T1 -> Y: T2',
  attributes: { int64_vocabulary: ints(), string_vocabulary: strings() },
  infer(c) {
    const type = c.type(0);
    const value = type.kind === 'map' ? type.value : undefined;
    if (value?.kind !== 'tensor')
      return c.fail('INVALID_TYPE', 'input 0 must be a map from keys to numbers or strings');
    if (type.kind === 'map' && (type.key === 'string') !== Boolean(c.attributes.string_vocabulary?.length))
      c.fail('INVALID_TYPE', `input 0 is a map from ${type.key}, but its vocabulary is not`);
    return [tensorType(value.element, [1, vocabularyOf(c).length])];
  },
  evaluate(c) {
    const type = c.type(0);
    const element = type.kind === 'map' && type.value.kind === 'tensor' ? type.value.element : 'float32';
    const words = vocabularyOf(c);
    const isNumber = typeof words[0] === 'bigint';
    const given = new Map(entriesOf(c).map(([key, value]) => [isNumber ? BigInt(key) : key, value]));
    const missing = element === 'string' ? '' : 0;
    return [
      vector(
        c,
        element,
        [1, words.length],
        words.map((word) => given.get(word) ?? missing),
      ),
    ];
  },
});
