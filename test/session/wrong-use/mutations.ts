import type { Attribute } from '../../../src/graph/graph.js';
import { tensorType } from '../../../src/graph/types.js';
import { findOperator } from '../../../src/schema/registry.js';
import { parameterAt } from '../../../src/schema/signature.js';
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import { emptyData } from '../../../src/tensor/empty-data.js';
import { tensorOf } from '../../../src/tensor/numbers.js';
import { elementCount, isTensorValue, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { attributeKind, elementOf, type SchemaParameter } from '../../conformance/schemas.js';
import type { Draft, Operand, Subject } from './subject.js';

/** A change to a node that runs. */
export interface Mutation {
  readonly label: string;
  /** Whether the specification has no reading under which the node is valid. */
  readonly isWrong: boolean;
  mutate(draft: Draft): Draft;
}

/** A change to what one input holds. */
export interface BadValue {
  readonly label: string;
  readonly input: number;
  /** Whether a node may be planned by it: worth a constant. */
  readonly isSteering: boolean;
  readonly value: TensorValue;
}

const HUGE = 2 ** 31;
const INT64_MAX = 2 ** 63 - 1024;
const INT64_MIN = -(2 ** 63);

/** One value of each type of attribute, to be given where another type is due. */
const SAMPLES: readonly Attribute[] = [
  { type: 'int', value: 1 },
  { type: 'ints', value: [1, 1] },
  { type: 'float', value: 1.5 },
  { type: 'floats', value: [1.5] },
  { type: 'string', value: 'x' },
  { type: 'strings', value: ['x'] },
  { type: 'tensor', value: { type: 'float32', dims: [1], data: Float32Array.of(1) } },
  { type: 'type', value: tensorType('float32', [1]) },
];

const NUMBERS = [-1, 0, 7, -99, HUGE, INT64_MAX, INT64_MIN];
const FLOATS = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 3e38];

const tensors = (value: TensorValue): Record<string, TensorValue> => ({
  empty: { type: value.type, dims: [0], data: emptyData(value.type, [0]) },
  matrix: { type: value.type, dims: [2, 2], data: emptyData(value.type, [2, 2]) },
  string: { type: 'string', dims: [1], data: ['x'] },
});

/** Values of the right type that may be nonsense, by a word for each. */
function values(given: Attribute): Record<string, Attribute['value']> {
  switch (given.type) {
    case 'int':
      return Object.fromEntries(NUMBERS.map((n) => [n, n]));
    case 'float':
      return Object.fromEntries(FLOATS.map((x) => [x, x]));
    case 'string':
      return { empty: '', unknown: 'no such word' };
    case 'ints':
      return {
        ...lists(given.value),
        ...Object.fromEntries(NUMBERS.map((n) => [`all ${n}`, given.value.map(() => n)])),
        repeated: given.value.map(() => given.value[0] as number),
      };
    case 'floats':
      return {
        ...lists(given.value),
        ...Object.fromEntries(FLOATS.map((x) => [`all ${x}`, given.value.map(() => x)])),
      };
    case 'strings':
      return { ...lists(given.value), 'all unknown': given.value.map(() => 'no such word') };
    case 'tensor':
      return tensors(given.value);
    case 'graph':
      return {
        'without inputs': { ...given.value, inputs: [] },
        'one output more': { ...given.value, outputs: [...given.value.outputs, ...given.value.outputs.slice(0, 1)] },
        'without outputs': { ...given.value, outputs: [], nodes: [] },
      };
    default:
      return {};
  }
}

const lists = <T>(list: readonly T[]): Record<string, readonly T[]> => ({
  none: [],
  'one fewer': list.slice(1),
  'one more': [...list, ...list.slice(-1)],
});

/** A value for an attribute that the running node leaves out. */
const sampleOf = (type: string): Attribute | undefined => SAMPLES.find((sample) => sample.type === type);

const withAttribute =
  (name: string, attribute: Attribute | undefined) =>
  (draft: Draft): Draft => {
    const { [name]: _, ...others } = draft.attributes;
    return { ...draft, attributes: attribute ? { ...others, [name]: attribute } : others };
  };

const withInputs =
  (change: (inputs: Draft['inputs']) => Draft['inputs']) =>
  (draft: Draft): Draft => ({ ...draft, inputs: change(draft.inputs) });

const withInput = (i: number, operand: Operand | null) =>
  withInputs((inputs) => inputs.map((old, j) => (i === j ? operand : old)));

const parameterOf = ({ schema }: Subject, i: number) => (schema.inputs[i] ?? schema.inputs.at(-1)) as SchemaParameter;

/** What Sardonyx takes beyond the schema of this version. */
function extensions({ schema: { domain, op, since } }: Subject, i: number): readonly ElementType[] {
  const operator = findOperator(domain, op, since);
  const parameter = operator && parameterAt(operator.signature.inputs, i);
  return parameter ? (operator.types[parameter.type] ?? []) : [];
}

/** Strings that are text, not one of a few words. */
const FREE = /^(delimiter|pattern|default_string|doc_string|tokenexp|y|replaced_value_string|pad_value)$/;

/** Runs as often as its input 0 says, or, without one, until its body ends it, which the recipe's does not. */
const ENDLESS = 'Loop';

/** What can be wrong about a node; each gives the mutations of one subject. */
export const NODE_MUTATIONS: Readonly<Record<string, (subject: Subject) => Mutation[]>> = {
  'an attribute of another type': ({ schema }) =>
    schema.attributes.flatMap(({ name, type }) =>
      SAMPLES.filter((sample) => sample.type !== attributeKind(type)).map((sample) => ({
        label: `${name}: ${sample.type}`,
        isWrong: true,
        mutate: withAttribute(name, sample),
      })),
    ),
  'a required attribute left out': ({ schema }) =>
    schema.attributes
      .filter(({ required }) => required)
      .map(({ name }) => ({ label: name, isWrong: true, mutate: withAttribute(name, undefined) })),
  'an attribute left out': ({ schema, draft }) =>
    schema.attributes
      .filter(({ name, required }) => !required && name in draft.attributes)
      .map(({ name }) => ({ label: name, isWrong: false, mutate: withAttribute(name, undefined) })),
  // Reported once, and ignored.
  'an unknown attribute': () => [
    { label: 'frobnicate', isWrong: false, mutate: withAttribute('frobnicate', SAMPLES[0] as Attribute) },
  ],
  'an attribute out of range': ({ schema, draft }) =>
    schema.attributes.flatMap(({ name, type }) => {
      const base = draft.attributes[name] ?? sampleOf(attributeKind(type));
      return Object.entries(base ? values(base) : {}).map(([label, value]) => ({
        label: `${name}: ${label}`,
        isWrong: base?.type === 'string' && label === 'unknown' && !FREE.test(name),
        mutate: withAttribute(name, { ...base, value } as Attribute),
      }));
    }),
  'a required input left out': ({ schema, draft }) =>
    draft.inputs.flatMap((operand, i) => {
      const parameter = schema.inputs[i];
      if (!operand || !parameter || parameter.optional || parameter.variadic) return [];
      return [{ label: parameter.name, isWrong: true, mutate: withInput(i, null) }];
    }),
  'no inputs': ({ schema }) =>
    schema.arity[0] > 0 && schema.op !== ENDLESS ? [{ label: '', isWrong: true, mutate: withInputs(() => []) }] : [],
  'too many inputs': ({ schema }) => {
    const most = schema.inputs.length;
    const one: Operand = { type: tensorType('float32'), value: tensorOf('float32', [1], [1]) };
    const fill = (inputs: Draft['inputs']) => [...inputs, ...new Array(most - inputs.length).fill(null), one];
    return schema.inputs.at(-1)?.variadic ? [] : [{ label: '', isWrong: true, mutate: withInputs(fill) }];
  },
  'too many outputs': ({ schema }) =>
    schema.outputs.at(-1)?.variadic
      ? []
      : [{ label: '', isWrong: true, mutate: (draft) => ({ ...draft, outputs: schema.outputs.length + 1 }) }],
  'an input of an unlisted type': (subject) =>
    subject.draft.inputs.flatMap((operand, i) => {
      const { type, name } = parameterOf(subject, i);
      const listed = new Set([
        ...(subject.schema.types[type] ?? [type]).map((text) => elementOf(text)),
        ...extensions(subject, i),
      ]);
      if (!operand || !isTensorValue(operand.value)) return [];
      const { dims } = operand.value;
      return (Object.keys(ELEMENTS) as ElementType[])
        .filter((element) => !listed.has(element))
        .slice(0, 2)
        .map((element) => ({
          label: `${name}: ${element}`,
          isWrong: true,
          mutate: withInput(i, {
            type: tensorType(element),
            value: { type: element, dims, data: emptyData(element, dims) },
          }),
        }));
    }),
  'an input of another kind': ({ draft }) =>
    draft.inputs.flatMap((operand, i) => {
      if (!operand) return [];
      const tensor: Operand = { type: tensorType('float32'), value: tensorOf('float32', [1], [1]) };
      const sequence: Operand = { type: { kind: 'sequence', of: tensorType('float32') }, value: [] };
      const other = operand.type.kind === 'tensor' ? sequence : tensor;
      return [{ label: `${i}: ${other.type.kind}`, isWrong: false, mutate: withInput(i, other) }];
    }),
};

/** Dims that differ from those that fit. */
export function wrongShapes(dims: readonly number[]): number[][] {
  const changed = dims.flatMap((d, axis) => [d + 1, 0].map((size) => dims.map((old, a) => (a === axis ? size : old))));
  return [
    [],
    [1],
    [0],
    [...dims, 1],
    [1, ...dims],
    dims.slice(1),
    [...dims, 2],
    [2, 3, 1, 2, 1, 2, 1, 2, 1],
    ...changed,
  ];
}

const INTEGERS: Readonly<Record<string, (n: number, i: number) => number>> = {
  zeros: () => 0,
  ones: () => 1,
  'all −1': () => -1,
  negative: (_, i) => -2 - i,
  repeats: () => 2,
  beyond: () => 9,
  'far below': () => -9,
  'a terabyte': () => 2 ** 40,
  '2³¹': () => HUGE,
  '−2³¹': () => -HUGE,
  'int64 max': () => INT64_MAX,
  'int64 min': () => INT64_MIN,
  mixed: (n, i) => (i === 0 ? n : INT64_MAX),
};

const REALS: Readonly<Record<string, () => number>> = {
  NaN: () => Number.NaN,
  infinite: () => Number.POSITIVE_INFINITY,
  'minus infinite': () => Number.NEGATIVE_INFINITY,
  tiny: () => 1e-30,
  large: () => 1e30,
};

const isFloat = (type: ElementType) => /float/.test(type);

/** Whether what the input holds is a position, a size, or else shapes the result. */
function steers({ schema: { domain, op, since } }: Subject, i: number, type: ElementType): boolean {
  return !isFloat(type) || (findOperator(domain, op, since)?.planned.includes(i) ?? false);
}

/** Nonsense for every input that is a tensor: its shape, and its contents. */
export function badValues(subject: Subject): BadValue[] {
  return subject.draft.inputs.flatMap((operand, input) => {
    const value = operand?.value;
    if (!isTensorValue(value)) return [];
    const isSteering = steers(subject, input, value.type);
    const shapes = wrongShapes(value.dims).map((dims) => ({
      label: `[${dims}]`,
      input,
      isSteering: true,
      value: reshaped(value, dims),
    }));
    if (subject.schema.op === ENDLESS && input === 0) return shapes;
    const contents = contentsFor(value, isSteering).map(([label, changed]) => ({
      label,
      input,
      isSteering,
      value: changed,
    }));
    return [...shapes, ...contents];
  });
}

/** The same values, over again, in other dims. */
function reshaped({ type, dims, data }: TensorValue, wanted: readonly number[]): TensorValue {
  const copy = emptyData(type, wanted) as unknown[];
  const source = data as ArrayLike<unknown>;
  if (elementCount(dims) > 0 && source.length > 0)
    for (let i = 0; i < copy.length; i++) copy[i] = source[i % source.length];
  return { type, dims: wanted, data: copy as unknown as TensorValue['data'] };
}

function contentsFor({ type, dims }: TensorValue, isSteering: boolean): [string, TensorValue][] {
  const n = elementCount(dims);
  if (type === 'string')
    return ['', '\u0000', 'no such word', '9'.repeat(99)].map((word) => [
      `"${word.slice(0, 12)}"`,
      { type, dims, data: new Array(n).fill(word) },
    ]);
  if (type.startsWith('complex') || type === 'bool') return [];
  const all = { ...(isSteering && INTEGERS), ...(isFloat(type) && REALS) };
  return Object.entries(all).map(([label, at]) => [
    label,
    tensorOf(
      type,
      dims,
      Array.from({ length: n }, (_, i) => clamped(type, at(n, i))),
    ),
  ]);
}

/** Integers beyond their type become its extremes. */
function clamped(type: ElementType, x: number): number {
  const { bits } = ELEMENTS[type];
  if (isFloat(type)) return x;
  const [least, most] = type.startsWith('u') ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
  return bits === 64 ? Math.max(least, x) : Math.min(Math.max(least, x), most);
}
