// Graph models of TensorFlow.js, as its converter writes them.
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import { elementCount, type TensorValue } from '../../../src/tensor/tensor-value.js';
import type { TensorFlowJSArtifacts } from '../../../src/tools/index.js';

export type Attr = Readonly<Record<string, unknown>>;
export interface NodeDef {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: Readonly<Record<string, Attr>>;
}

export interface GraphCase {
  readonly name: string;
  readonly nodes: readonly NodeDef[];
  readonly functions?: readonly object[];
  /** What is fed. */
  readonly feeds: Readonly<Record<string, TensorValue>>;
  /** Constants. */
  readonly weights: Readonly<Record<string, TensorValue>>;
  readonly outputs: readonly string[];
  /** Sizes of inputs that are left open, all of them if nothing is said. */
  readonly isOpen?: boolean;
}

/** What a node is given: fed where it is not said to be constant. */
export type Operand = TensorValue | { readonly constant: TensorValue };

export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function of(type: ElementType, dims: readonly number[], values: readonly (number | string)[]): TensorValue {
  if (type === 'string') return { type, dims, data: values as readonly string[] };
  const data = new (ELEMENTS[type].array as Float32ArrayConstructor)(values as number[]);
  return { type, dims, data: data as never };
}

export const floats = (dims: readonly number[], ...values: number[]): TensorValue => of('float32', dims, values);
export const ints = (...values: number[]): TensorValue => of('int32', [values.length], values);
export const int = (value: number): TensorValue => of('int32', [], [value]);
export const scalar = (value: number): TensorValue => of('float32', [], [value]);
export const fixed = (constant: TensorValue): Operand => ({ constant });

/** Numbers between two limits, always the same. */
export function random(dims: readonly number[], low = -2, high = 2, seed = 7): TensorValue {
  const next = seeded(seed + elementCount(dims));
  return floats(dims, ...Array.from({ length: elementCount(dims) }, () => low + (high - low) * next()));
}

const TYPES: Partial<Record<ElementType, string>> = {
  float32: 'DT_FLOAT',
  int32: 'DT_INT32',
  bool: 'DT_BOOL',
  string: 'DT_STRING',
};
export const type = (element: ElementType): Attr => ({ type: TYPES[element] });
export const text = (s: string): Attr => ({ s: btoa(s) });
export const texts = (...s: string[]): Attr => ({ list: { s: s.map((item) => btoa(item)) } });
export const list = (...i: number[]): Attr => ({ list: { i: i.map(String) } });
export const i = (value: number): Attr => ({ i: String(value) });
export const f = (value: number): Attr => ({ f: value });
export const b = (value: boolean): Attr => ({ b: value });
export const func = (name: string): Attr => ({ func: { name } });

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** A node alone, with `count` outputs. */
export function single(
  op: string,
  operands: readonly Operand[],
  attr: Readonly<Record<string, Attr>> = {},
  count = 1,
): GraphCase {
  const named = operands.map((operand, at) => [NAMES[at] as string, operand] as const);
  const weights = named.flatMap(([name, operand]) =>
    'constant' in operand ? [[name, operand.constant] as const] : [],
  );
  const feeds = named.flatMap(([name, operand]) => ('constant' in operand ? [] : [[name, operand] as const]));
  const nodes = [{ name: 'y', op, input: named.map(([name]) => name), attr }];
  const outputs = Array.from({ length: count }, (_, at) => (at ? `y:${at}` : 'y'));
  return { name: op, nodes, feeds: Object.fromEntries(feeds), weights: Object.fromEntries(weights), outputs };
}

const bytesOf = ({ type: element, data }: TensorValue): Uint8Array => {
  if (element === 'string') {
    const parts = (data as readonly string[]).map((item) => new TextEncoder().encode(item));
    const all = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
    let at = 0;
    for (const part of parts) {
      new DataView(all.buffer).setUint32(at, part.length, true);
      all.set(part, at + 4);
      at += 4 + part.length;
    }
    return all;
  }
  const { buffer, byteOffset, byteLength } = data as Float32Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
};

/** A graph model with that in it; sizes of what is fed are left open where that is asked for. */
export function artifactsOf(
  { nodes, functions = [], feeds, weights }: GraphCase,
  isOpen = false,
): TensorFlowJSArtifacts {
  const shapeOf = (dims: readonly number[]) => ({ dim: dims.map((size) => ({ size: isOpen ? '-1' : String(size) })) });
  const inputs = Object.entries(feeds).map(([name, tensor]) => ({
    name,
    op: 'Placeholder',
    attr: { dtype: type(tensor.type), shape: { shape: shapeOf(tensor.dims) } },
  }));
  const constants = Object.entries(weights).map(([name, tensor]) => ({
    name,
    op: 'Const',
    attr: { dtype: type(tensor.type) },
  }));
  const parts = Object.values(weights).map(bytesOf);
  const weightData = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    weightData.set(part, offset);
    offset += part.length;
  }
  return {
    format: 'graph-model',
    modelTopology: {
      node: [...inputs, ...constants, ...nodes.map((node) => ({ attr: {}, input: [], ...node }))],
      library: { function: functions },
      versions: { producer: 987, minConsumer: 12 },
    },
    weightSpecs: Object.entries(weights).map(([name, { type: dtype, dims }]) => ({ name, dtype, shape: [...dims] })),
    weightData: weightData.buffer,
  };
}

/** Nodes one after another. */
export const chainOf = (
  feeds: GraphCase['feeds'],
  weights: GraphCase['weights'],
  nodes: GraphCase['nodes'],
  outputs: readonly string[],
): GraphCase => ({ name: outputs.join(), nodes, feeds, weights, outputs });
