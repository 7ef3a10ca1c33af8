import { tensorType } from '../../graph/types.js';
import { float, floats, int, ints, string, strings, tensor } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import type { ElementType } from '../../tensor/element-types.js';
import { isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import { type Key, lookUp, tableOf } from './lookup.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LabelEncoder.html: maps strings to their indices in a list, or back. */
const byPlace = defineOp({
  domain: 'ai.onnx.ml',
  name: 'LabelEncoder',
  since: 1,
  signature: 'X: T1 -> Y: T2',
  types: { T1: ['string', 'int64'], T2: ['string', 'int64'] },
  attributes: { classes_strings: strings(), default_int64: int(-1), default_string: string('_Unused') },
  infer: (c) => [tensorType(c.element(0) === 'string' ? 'int64' : 'string', c.dims(0))],
  evaluate(c) {
    const { classes_strings: classes = [], default_int64, default_string } = c.attributes;
    const places = classes.map((_, i) => BigInt(i));
    return c.element(0) === 'string'
      ? [lookUp(c.tensor(0), tableOf(classes, places), BigInt(default_int64), 'int64')]
      : [lookUp(c.tensor(0), tableOf(places, classes), default_string, 'string')];
  },
});

const lists = {
  keys_floats: floats(),
  keys_int64s: ints(),
  keys_strings: strings(),
  values_floats: floats(),
  values_int64s: ints(),
  values_strings: strings(),
  default_float: float(-0),
  default_int64: int(-1),
  default_string: string('_Unused'),
};

interface Entries {
  readonly type: ElementType;
  readonly data: ArrayLike<Key>;
}

type Attributes = Readonly<Record<string, unknown>>;

/** The given attribute among `keys_…` or `values_…`. */
function entriesOf(c: Inference<Attributes>, kind: 'keys' | 'values'): Entries {
  const a = c.attributes;
  const given = a[`${kind}_tensor`];
  if (isTensorValue(given)) return given as Entries;
  const [numbers, wholes, names] = [a[`${kind}_floats`], a[`${kind}_int64s`], a[`${kind}_strings`]] as [
    number[]?,
    number[]?,
    string[]?,
  ];
  if (names?.length) return { type: 'string', data: names };
  if (wholes?.length) return { type: 'int64', data: wholes.map(BigInt) };
  if (numbers?.length) return { type: 'float32', data: numbers };
  return c.fail('INVALID_ATTRIBUTE', `has no ${kind}_… attribute`);
}

function defaultOf({ attributes: a }: Inference<Attributes>, type: ElementType): Key {
  const given = a.default_tensor as TensorValue | undefined;
  if (given) return given.data[0] as Key;
  if (type === 'string') return a.default_string as string;
  if (type === 'int64') return BigInt(a.default_int64 as number);
  return type.startsWith('float') ? (a.default_float as number) : (a.default_int64 as number);
}

/** Maps keys to values; among equal keys, the last counts. */
const byKey = (since: number, types: readonly ElementType[], tensors: object) =>
  defineOp({
    domain: 'ai.onnx.ml',
    name: 'LabelEncoder',
    since,
    signature: 'X: T1 -> Y: T2',
    types: { T1: types, T2: types },
    attributes: { ...lists, ...tensors } as typeof lists,
    infer: (c) => [tensorType(entriesOf(c, 'values').type, c.dims(0))],
    evaluate(c) {
      const [keys, values] = [entriesOf(c, 'keys'), entriesOf(c, 'values')];
      if (keys.data.length !== values.data.length)
        c.fail('INVALID_ATTRIBUTE', `there are ${keys.data.length} keys, but ${values.data.length} values`);
      if (keys.type !== c.element(0)) c.fail('INVALID_TYPE', `the keys are ${keys.type}, input 0 is ${c.element(0)}`);
      return [lookUp(c.tensor(0), tableOf(keys.data, values.data), defaultOf(c, values.type), values.type)];
    },
  });

export const labelEncoder = [
  byPlace,
  byKey(2, ['string', 'int64', 'float32'], {}),
  byKey(4, ['string', 'int64', 'float32', 'int32', 'int16', 'float64'], {
    keys_tensor: tensor(),
    values_tensor: tensor(),
    default_tensor: tensor(),
  }),
];
