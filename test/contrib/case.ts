import type { AttributeInputs } from '../../src/builder/index.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import type { Tolerance } from '../conformance/compare.js';

/** One model, by default of one node, and what it is fed. */
export interface Case {
  /** What sets it apart from the others. */
  readonly label: string;
  readonly attributes?: AttributeInputs | ((b: ModelBuilder) => AttributeInputs);
  /** `null`: left out. */
  readonly inputs: readonly (TensorValue | null)[];
  /** Inputs that are constants of the model, by number. */
  readonly constants?: readonly number[];
  /** Numbers of the outputs that are asked for; others are left out. */
  readonly outputs?: readonly number[];
  /** An ONNX file in place of the node, with inputs x0, x1 … */
  readonly model?: Uint8Array;
  /** A whole graph in place of one node: makes the outputs of its inputs, those that are no constants. */
  readonly graph?: (b: ModelBuilder, inputs: readonly Value[]) => readonly Value[];
  /** Types of outputs, by their numbers, that do not follow from those of the inputs. */
  readonly outputTypes?: Readonly<Record<number, ElementType>>;
  /** Outputs that onnxruntime wants to write over an input that it is fed: the number of the input by that of the output. */
  readonly overwrites?: Readonly<Record<number, number>>;
  /** Where it is not that of its operator: of results in halves, say. */
  readonly tolerance?: Tolerance;
}

/** Cases of one operator, and how near to onnxruntime its results must be. */
export interface OperatorCases {
  readonly op: string;
  /** com.microsoft, if left out. */
  readonly domain?: string;
  readonly opset?: number;
  /** Of its opset in a domain that is not ONNX's. */
  readonly version?: number;
  readonly tolerance?: Tolerance;
  /** The cases are the models as onnxruntime saves them at this level of optimization. */
  readonly savedAt?: 'extended' | 'all';
  readonly cases: readonly Case[];
}

/** The case as an ONNX file; its inputs are x0, x1 …, its outputs y0, y1 … by their numbers. `isOpen`: sizes of what is fed are symbols. */
export function modelOf(
  { op, domain = 'com.microsoft', opset = 21, version = 1 }: OperatorCases,
  c: Case,
  isOpen = false,
): Uint8Array {
  if (c.model) return c.model;
  const dimsOf = (dims: readonly number[], i: number) => (isOpen ? dims.map((_, axis) => `x${i}_${axis}`) : dims);
  const b = modelBuilder({ opset, ...(domain && { opsets: { [domain]: version } }) });
  const { attributes = {}, inputs, constants = [], outputs = [0], outputTypes = {} } = c;
  const values = inputs.map(
    (input, i) =>
      input &&
      (constants.includes(i) ? b.constant(`x${i}`, input) : b.input(`x${i}`, input.type, dimsOf(input.dims, i))),
  );
  if (c.graph) {
    for (const [i, value] of c.graph(b, values as Value[]).entries()) b.output(`y${i}`, value);
    return b.toBytes();
  }
  const made = typeof attributes === 'function' ? attributes(b) : attributes;
  const results = b.node(op, values, made, { domain, outputs: Math.max(...outputs) + 1 });
  for (const i of outputs) b.output(`y${i}`, results[i] as (typeof results)[number], outputTypes[i]);
  return b.toBytes();
}

export const feedsOf = ({ inputs, constants = [] }: Case): Record<string, TensorValue> =>
  Object.fromEntries(
    inputs.flatMap((input, i): [string, TensorValue][] => (input && !constants.includes(i) ? [[`x${i}`, input]] : [])),
  );

/** Numbers from a seed, the same on every machine. */
export interface Draw {
  /** In 0 (inclusive) … 1. */
  unit(): number;
  /** In from … to, both inclusive. */
  int(from: number, to: number): number;
  /** About 0, of variance 1. */
  normal(): number;
  pick<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
  /** A float tensor of normal numbers times `scale`, plus `mean`. */
  floats(dims: readonly number[], scale?: number, mean?: number, type?: ElementType): TensorValue;
  /** An integer tensor of numbers in from … to. */
  ints(type: ElementType, dims: readonly number[], from: number, to: number): TensorValue;
}

const product = (dims: readonly number[]) => dims.reduce((n, d) => n * d, 1);

/** mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function draw(seed: number): Draw {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number) => from + Math.floor(unit() * (to - from + 1));
  const normal = () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  const many = (dims: readonly number[], one: () => number) => Array.from({ length: product(dims) }, one);
  const isLong = (type: ElementType) => type === 'int64' || type === 'uint64';
  return {
    unit,
    int,
    normal,
    pick: (choices) => choices[int(0, choices.length - 1)] as (typeof choices)[number],
    chance: (probability) => unit() < probability,
    floats: (dims, scale = 1, mean = 0, type = 'float32') =>
      tensor(
        type,
        dims,
        many(dims, () => mean + scale * normal()),
      ),
    ints: (type, dims, from, to) => {
      const values = many(dims, () => int(from, to));
      return tensor(type, dims, isLong(type) ? values.map(BigInt) : values);
    },
  };
}
