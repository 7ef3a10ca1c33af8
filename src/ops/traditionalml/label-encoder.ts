import { tensorType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { emptyData, type TensorValue } from '../../tensor/tensor-value.js';
import { type AttributeValues, float, floats, int, ints, string, strings, tensor } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';

const TYPES: readonly ElementType[] = ['string', 'int64', 'float32', 'int32', 'int16', 'float64'];

type Label = string | number | bigint;

const defaults = { default_string: string('_Unused'), default_int64: int(-1), default_float: float(-0) };

const attributes = {
  ...defaults,
  default_tensor: tensor(),
  keys_strings: strings(),
  keys_int64s: ints(),
  keys_floats: floats(),
  keys_tensor: tensor(),
  values_strings: strings(),
  values_int64s: ints(),
  values_floats: floats(),
  values_tensor: tensor(),
};

type Attributes = AttributeValues<typeof attributes>;

interface LabelList {
  readonly type: ElementType;
  readonly labels: readonly Label[];
}

/** The keys or the values, from whichever attribute holds them. */
function listOf(c: Inference<Attributes>, kind: 'keys' | 'values'): LabelList {
  const a = c.attributes;
  const table = a[`${kind}_tensor`];
  if (table) return { type: table.type, labels: Array.from(table.data as ArrayLike<Label>) };
  if (a[`${kind}_strings`]) return { type: 'string', labels: a[`${kind}_strings`] as readonly string[] };
  if (a[`${kind}_int64s`]) return { type: 'int64', labels: (a[`${kind}_int64s`] as readonly number[]).map(BigInt) };
  if (a[`${kind}_floats`])
    return { type: 'float32', labels: (a[`${kind}_floats`] as readonly number[]).map(Math.fround) };
  return c.fail('INVALID_ATTRIBUTE', `has no ${kind}`);
}

function fallbackOf(
  { default_tensor, default_string, default_int64, default_float }: Attributes,
  type: ElementType,
): Label {
  if (default_tensor) return default_tensor.data[0] as Label;
  if (type === 'string') return default_string;
  return type === 'int64' ? BigInt(default_int64) : type.startsWith('int') ? default_int64 : default_float;
}

/** Every label of `x` replaced by what the table has for it. Equal floats are equal labels, NaN and −0 included. */
function encoded(x: TensorValue, table: ReadonlyMap<Label, Label>, type: ElementType, fallback: Label): TensorValue {
  const data = emptyData(type, x.dims) as { [i: number]: Label };
  for (let i = 0; i < x.data.length; i++) data[i] = table.get(x.data[i] as Label) ?? fallback;
  return { type, dims: x.dims, data: data as unknown as TensorValue['data'] };
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LabelEncoder.html */
export const labelEncoder = [
  defineOp({
    domain: 'ai.onnx.ml',
    name: 'LabelEncoder',
    since: 2,
    signature: 'X: T1 -> Y: T2',
    types: { T1: TYPES, T2: TYPES },
    attributes,
    infer: (c) => [tensorType(listOf(c, 'values').type, c.dims(0))],
    evaluate(c) {
      const [keys, values] = [listOf(c, 'keys').labels, listOf(c, 'values')];
      if (keys.length !== values.labels.length)
        c.fail('INVALID_ATTRIBUTE', `${keys.length} keys for ${values.labels.length} values`);
      const table = new Map(keys.map((key, i) => [key, values.labels[i] as Label]));
      return [encoded(c.tensor(0), table, values.type, fallbackOf(c.attributes, values.type))];
    },
  }),
  defineOp({
    domain: 'ai.onnx.ml',
    name: 'LabelEncoder',
    signature: 'X: T1 -> Y: T2',
    types: { T1: ['string', 'int64'], T2: ['string', 'int64'] },
    attributes: { classes_strings: strings([]), default_int64: int(-1), default_string: string('_Unused') },
    infer: (c) => [tensorType(c.element(0) === 'string' ? 'int64' : 'string', c.dims(0))],
    evaluate(c) {
      const x = c.tensor(0);
      const { classes_strings, default_int64, default_string } = c.attributes;
      const toNumber = x.type === 'string';
      const pairs = classes_strings.map((name, i): [Label, Label] =>
        toNumber ? [name, BigInt(i)] : [BigInt(i), name],
      );
      const fallback = toNumber ? BigInt(default_int64) : default_string;
      return [encoded(x, new Map(pairs), toNumber ? 'int64' : 'string', fallback)];
    },
  }),
];
