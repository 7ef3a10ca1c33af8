import { AttributeProto, GraphProto, TensorProto, TypeProto } from '../../../../build/onnx.js';
import { ATTRIBUTE_TYPES, attributeTypeOf } from '../../../model/attribute-types.js';
import { fromInteger, type Int64, toBigInt, toNumber } from '../../../model/int64.js';
import { text } from '../../../model/read-protobuf.js';
import { readTensor } from '../../../model/tensors.js';
import { writeTensorProto } from '../../../model/write-attributes.js';
import { isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';
import { refused } from '../refuse.js';

/** A reference to an attribute of the call, within a function. */
export interface Reference {
  readonly reference: string;
}

/**
 * The value of an attribute in plain JavaScript. Integers beyond 2⁵³ are bigints. Values without a plain form are
 * protobuf messages.
 */
export type AttributeValue =
  | number
  | bigint
  | string
  | TensorValue
  | readonly (number | bigint)[]
  | readonly string[]
  | readonly TensorValue[]
  | Reference
  | GraphProto
  | TypeProto
  | AttributeProto;

const integer = (value: Int64): number | bigint => {
  const exact = toBigInt(value);
  return BigInt.asIntN(53, exact) === exact ? toNumber(value) : exact;
};

/** Converts an attribute to a plain value. */
export function plainValue(proto: AttributeProto): AttributeValue {
  if (proto.refAttrName) return { reference: proto.refAttrName };
  switch (attributeTypeOf(proto.type)) {
    case 'int':
      return integer(proto.i);
    case 'float':
      return proto.f;
    case 'string':
      return text(proto.s);
    case 'ints':
      return proto.ints.map(integer);
    case 'floats':
      return proto.floats;
    case 'strings':
      return proto.strings.map(text);
    case 'tensor':
      return proto.t ? readTensor(proto.t) : proto;
    case 'tensors':
      return proto.tensors.map((tensor) => readTensor(tensor));
    case 'type':
      return proto.tp ?? proto;
    default:
      return proto;
  }
}

type Kind = keyof typeof ATTRIBUTE_TYPES;

const utf8 = new TextEncoder();

const tensorOf = (value: unknown): TensorProto => new TensorProto(writeTensorProto(value as TensorValue));

const integerOf = (value: unknown): Int64 => fromInteger(BigInt(value as number | bigint));

/** Writes a plain value to the fields of an attribute. */
const FIELDS: Partial<Record<Kind, (value: never) => AttributeProto.$Properties>> = {
  int: (i: unknown) => ({ i: integerOf(i) }),
  float: (f: number | bigint) => ({ f: Number(f) }),
  string: (s: string) => ({ s: utf8.encode(s) }),
  tensor: (t: unknown) => ({ t: tensorOf(t) }),
  ints: (list: readonly unknown[]) => ({ ints: list.map(integerOf) }),
  floats: (list: readonly (number | bigint)[]) => ({ floats: list.map(Number) }),
  strings: (list: readonly string[]) => ({ strings: list.map((s) => utf8.encode(s)) }),
  tensors: (list: readonly unknown[]) => ({ tensors: list.map(tensorOf) }),
  graph: (g: GraphProto) => ({ g }),
  type: (tp: TypeProto) => ({ tp }),
};

/**
 * Converts a plain value to an attribute of the declared or previous type. Otherwise, integers become ints and other
 * numbers floats.
 */
export function attributeProto(name: string, value: AttributeValue, declared: string | undefined): AttributeProto {
  if (value instanceof AttributeProto) return new AttributeProto({ ...value, name });
  const shown = kindOf(value);
  if (shown === 'reference') {
    const type = declared && declared in ATTRIBUTE_TYPES ? ATTRIBUTE_TYPES[declared as Kind] : undefined;
    return new AttributeProto({
      name,
      refAttrName: (value as Reference).reference,
      ...(type !== undefined && { type }),
    });
  }
  const kind = (declared && fits(shown, declared) ? declared : shown) as Kind | undefined;
  const fields = kind && (!declared || kind === declared) ? FIELDS[kind] : undefined;
  if (!kind || !fields)
    throw refused(`attribute ${name}: expected ${declared ?? 'a supported value'}, got ${describe(value)}`);
  return new AttributeProto({ name, type: ATTRIBUTE_TYPES[kind], ...fields(value as never) });
}

const describe = (value: unknown): string =>
  typeof value === 'object' ? (kindOf(value as AttributeValue) ?? 'an empty list or another object') : String(value);

/** Whether a value fits a type. An integer can be a float, and an empty list can have any list type. */
const fits = (shown: string | undefined, declared: string): boolean =>
  shown === declared ||
  (shown === 'int' && declared === 'float') ||
  (shown === 'ints' && declared === 'floats') ||
  (shown === undefined && /s$/.test(declared));

function kindOf(value: AttributeValue): Kind | 'reference' | undefined {
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'string') return 'string';
  if (isTensorValue(value)) return 'tensor';
  if (value instanceof GraphProto) return 'graph';
  if (value instanceof TypeProto) return 'type';
  if (Array.isArray(value)) return kindOfList(value);
  return 'reference' in value ? 'reference' : undefined;
}

function kindOfList([...items]: readonly AttributeValue[]): Kind | undefined {
  const kinds = new Set(items.map(kindOf));
  const [kind] = kinds;
  if (kinds.has('float') && [...kinds].every((k) => k === 'int' || k === 'float')) return 'floats';
  return kinds.size === 1 && (kind === 'int' || kind === 'string' || kind === 'tensor') ? `${kind}s` : undefined;
}
