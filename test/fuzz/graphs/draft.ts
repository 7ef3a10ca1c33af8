import { type AttributeInput, ints } from '../../../src/builder/index.js';
import { findOperator } from '../../../src/schema/registry.js';
import { parameterAt } from '../../../src/schema/signature.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { elementCount } from '../../../src/tensor/tensor-value.js';
import type { Plain, PlainArray, PlainValue } from '../reference/array.js';
import type { Choices } from './choices.js';
import { evaluateNode, exact, runAlone, type Surroundings, type Values } from './evaluate.js';
import { isFloating, isPlainArray, rounded } from './plain-tensors.js';
import type { Body, Program, ProgramConstant, ProgramFunction, ProgramInput, ProgramNode } from './program.js';

/** A value of the model that is made, and what it is for each set of sizes. */
export interface Known {
  readonly name: string;
  readonly values: readonly PlainValue[];
}

/** A tensor of the model that is made. */
export interface KnownTensor extends Known {
  readonly values: readonly PlainArray[];
  readonly type: ElementType;
  /** Sizes that are the same in every run; -1: not so. */
  readonly dims: readonly number[];
}

export type Attributes = Readonly<Record<string, AttributeInput | undefined>>;

export interface NodeSpec {
  readonly domain?: string;
  readonly outputs?: number;
  readonly bodies?: Readonly<Record<string, Body>>;
}

/** A maker cannot go on: what it has made so far stays. */
export class Unfit extends Error {}

const MOST_ELEMENTS = 6000;
/** Whole numbers of which sums and products wrap around. */
const WIDE: Partial<Record<ElementType, number>> = {
  ...{ int8: 100, uint8: 200, int16: 30_000, uint16: 60_000 },
  ...{ int32: 2 ** 31 - 1, uint32: 2 ** 32 - 1, int64: 2 ** 40, uint64: 2 ** 40 },
};
/** Beyond these, sums cancel and powers overflow: nothing could be said of the results. */
const MOST: Partial<Record<ElementType, number>> = { float16: 2000, bfloat16: 1e6, float64: 1e12 };

/** Operators that refuse a window larger than the map and its padding, where their formulas give a size of 0. */
const WINDOWED: ReadonlySet<string> = new Set([
  'Conv',
  'ConvTranspose',
  'ConvInteger',
  'QLinearConv',
  'MaxPool',
  'AveragePool',
  'LpPool',
]);

/** Numbers that are an attribute before an opset, and an input from it on. */
const ONCE_ATTRIBUTES: Readonly<Record<string, { readonly before: number; readonly attribute: string }>> = {
  ReduceSum: { before: 13, attribute: 'axes' },
  Split: { before: 13, attribute: 'split' },
  Squeeze: { before: 13, attribute: 'axes' },
  Unsqueeze: { before: 13, attribute: 'axes' },
};

/** Symbols of sizes, and their sizes in each set. */
export type Sizes = Readonly<Record<string, readonly number[]>>;

/** What holds for all of a model. */
export interface Terms {
  readonly opset: number;
  /** What sizes are drawn from: few, so that they meet. */
  readonly sizes: readonly number[];
  readonly symbols: Sizes;
  /** Sets of sizes that it is evaluated for. */
  readonly sets: number;
  /** The share of its constants that are inputs in truth, or defaults of inputs. */
  readonly fed: number;
}

/** A model in the making. Every node is evaluated as it is added, for each set of sizes, and refused if it makes no sense. */
export class Draft {
  readonly known: Known[] = [];
  readonly inputs: ProgramInput[] = [];
  readonly constants: ProgramConstant[] = [];
  readonly functions: ProgramFunction[] = [];
  readonly nodes: ProgramNode[] = [];
  readonly #feeds: Map<string, PlainValue>[];
  /** All values, constants too. */
  readonly #scopes: Map<string, PlainValue>[];
  #names = 0;

  constructor(
    readonly choices: Choices,
    readonly terms: Terms,
  ) {
    this.#feeds = Array.from({ length: terms.sets }, () => new Map());
    this.#scopes = Array.from({ length: terms.sets }, () => new Map());
  }

  get opset(): number {
    return this.terms.opset;
  }

  get sizes(): readonly number[] {
    return this.terms.sizes;
  }

  get tensors(): KnownTensor[] {
    return this.known.filter(isTensor);
  }

  /** The value of that name, a constant too. */
  named(name: string): Known {
    return known(
      name,
      this.#scopes.map((scope) => scope.get(name) as PlainValue),
    );
  }

  feeds(set: number): Values {
    return this.#feeds[set] as Values;
  }

  name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  /** An input of the model; `draw` gives its data. */
  input(type: ElementType, dims: readonly (number | string)[], draw: (count: number) => readonly Plain[]): KnownTensor {
    const name = this.name('x');
    this.inputs.push({ name, type, dims });
    const values = this.#feeds.map((feeds, set) => {
      const shape = dims.map((d) => (typeof d === 'string' ? (this.terms.symbols[d]?.[set] as number) : d));
      const value = rounded({ type, dims: shape, data: draw(elementCount(shape)) });
      feeds.set(name, value);
      return value;
    });
    return this.#keep({ name, values }) as KnownTensor;
  }

  /** A constant of the file; now and then it is fed, or the default of an input. */
  constant(type: ElementType, dims: readonly number[], data: readonly Plain[], mayBeFed = true): KnownTensor {
    const value = rounded({ type, dims, data });
    const values = this.#feeds.map(() => value);
    const isFed = mayBeFed && this.choices.chance(this.terms.fed);
    if (isFed && this.choices.chance(0.7)) {
      const name = this.name('x');
      this.inputs.push({ name, type, dims });
      for (const feeds of this.#feeds) feeds.set(name, value);
      return this.#place(name, values) as KnownTensor;
    }
    const name = this.name('c');
    this.constants.push({ name, value, ...(isFed && { isInput: true }) });
    return this.#place(name, values) as KnownTensor;
  }

  floats = (dims: readonly number[], type: ElementType = 'float32', mayBeFed = true): KnownTensor =>
    this.constant(type, dims, this.draw(type, elementCount(dims)), mayBeFed);

  integers = (values: readonly number[], dims: readonly number[] = [values.length], mayBeFed = false): KnownTensor =>
    this.constant('int64', dims, values.map(BigInt), mayBeFed);

  number = (x: number, like: ElementType = 'float32', dims: readonly number[] = []): KnownTensor =>
    this.constant(like, dims, new Array(elementCount(dims)).fill(plainOf(like, x)), false);

  draw(type: ElementType, count: number): Plain[] {
    const { next, below } = this.choices;
    const flavour = below(5);
    const float = () => {
      if (flavour === 0) return below(7) - 3;
      return flavour === 1 ? (below(13) - 6) / 2 : Math.round((4 * next() - 2) * 1000) / 1000;
    };
    const whole = () => {
      if (flavour === 2) return Math.round((2 * next() - 1) * (WIDE[type] ?? 1));
      return below(9) - (type.startsWith('u') ? 0 : 4);
    };
    if (type === 'string') return Array.from({ length: count }, () => this.choices.pick(['', 'a', 'Bc', 'ß', 'x y']));
    return Array.from({ length: count }, () => plainOf(type, isFloating(type) ? float() : whole()));
  }

  /** Adds a node and gives its outputs. @throws Unfit */
  node(op: string, inputs: readonly (Known | null)[], attributes: Attributes = {}, spec: NodeSpec = {}): Known[] {
    const node = this.#nodeOf(op, inputs, attributes, spec);
    const values = this.#scopes.map((scope) => this.#evaluate(node, scope));
    return this.adopt(
      node,
      node.outputs.map((_, i) => values.map((all) => all[i] as PlainValue)),
    );
  }

  /** Adds a node of any operator: one that has no plain definition runs in a session of its own. @throws Unfit */
  async anyNode(
    op: string,
    inputs: readonly (Known | null)[],
    attributes: Attributes,
    spec: NodeSpec,
  ): Promise<Known[]> {
    const node = this.#nodeOf(op, inputs, attributes, spec);
    const around = { opset: this.opset, functions: this.functions, noise: exact };
    const values: (readonly (PlainValue | undefined)[])[] = [];
    for (const scope of this.#scopes) {
      const results = attempt(() => evaluateNode(node, scope, around)) ?? (await alone(node, scope, around));
      values.push(results);
    }
    return this.adopt(
      node,
      node.outputs.map((_, i) => values.map((all) => all[i] as PlainValue)),
    );
  }

  /** Adds a node that gives these values. @throws Unfit where they are too large to go on with */
  adopt(node: ProgramNode, values: readonly (readonly PlainValue[])[]): Known[] {
    const inputs = node.inputs.map((name) => this.#scopes.map((scope) => (name === null ? null : scope.get(name))));
    for (const value of values.flat()) this.#checkValue(value, inputs.flat());
    this.nodes.push(node);
    return node.outputs.map((name, i) => this.#keep({ name: name as string, values: values[i] as PlainValue[] }));
  }

  op = (
    op: string,
    inputs: readonly (Known | null)[],
    attributes: Attributes = {},
    spec: NodeSpec = {},
  ): KnownTensor => {
    const [result] = this.node(op, inputs, attributes, spec);
    if (!result || !isTensor(result)) throw new Unfit();
    return result;
  };

  /** Whether the operator takes tensors of that type as its input `i`. */
  admits(op: string, i: number, type: ElementType): boolean {
    const operator = findOperator('', op, this.opset);
    if (!operator) return false;
    const variable = parameterAt(operator.signature.inputs, i)?.type ?? '';
    return operator.types[variable]?.includes(type) ?? variable === type;
  }

  program(outputs: readonly string[]): Program {
    const { opset, inputs, constants, functions, nodes } = this;
    return {
      opset,
      inputs: [...inputs],
      constants: [...constants],
      functions: [...functions],
      nodes: [...nodes],
      outputs,
    };
  }

  #keep({ name, values }: { readonly name: string; readonly values: readonly PlainValue[] }): Known {
    const made = this.#place(name, values);
    this.known.push(made);
    return made;
  }

  #place(name: string, values: readonly PlainValue[]): Known {
    values.forEach((value, set) => {
      this.#scopes[set]?.set(name, value);
    });
    return known(name, values);
  }

  #nodeOf(op: string, given: readonly (Known | null)[], others: Attributes, spec: NodeSpec): ProgramNode {
    const { domain = '', outputs = 1, bodies } = spec;
    const { inputs, attributes } = domain ? { inputs: given, attributes: others } : this.#asOnce(op, given, others);
    const node: ProgramNode = {
      op,
      domain,
      inputs: inputs.map((input) => input?.name ?? null),
      outputs: Array.from({ length: outputs }, () => this.name('v')),
      attributes,
      ...(bodies && { bodies }),
    };
    this.#checkTypes(node, inputs);
    return node;
  }

  /** The node's second input as the attribute that it was in this opset. */
  #asOnce(op: string, inputs: readonly (Known | null)[], attributes: Attributes) {
    const { before, attribute } = ONCE_ATTRIBUTES[op] ?? { before: 0, attribute: '' };
    const [x, numbers] = inputs;
    if (this.opset >= before || !numbers) return { inputs, attributes };
    const constant = this.constants.find(({ name, isInput }) => name === numbers.name && !isInput);
    if (!constant) throw new Unfit();
    return {
      inputs: [x as Known],
      attributes: { ...attributes, [attribute]: ints(constant.value.data.map(Number)) },
    };
  }

  #checkTypes({ op, domain }: ProgramNode, inputs: readonly (Known | null)[]): void {
    if (domain) return;
    for (const [i, input] of inputs.entries())
      if (input && isTensor(input) && !this.admits(op, i, input.type)) throw new Unfit();
  }

  #evaluate(node: ProgramNode, scope: Values): readonly (PlainValue | undefined)[] {
    const around = { opset: this.opset, functions: this.functions, noise: exact };
    const results = attempt(() => evaluateNode(node, scope, around));
    if (!results || results.length < node.outputs.length) throw new Unfit();
    if (WINDOWED.has(node.op) && (hasEmptyMap(results[0]) || node.inputs.some((name) => isWild(scope.get(name ?? '')))))
      throw new Unfit();
    return results;
  }

  #checkValue(value: PlainValue | undefined, inputs: readonly (PlainValue | undefined)[]): void {
    if (value === undefined) throw new Unfit();
    if (!isPlainArray(value)) return;
    if (!value.dims.every(Number.isInteger)) throw new Unfit();
    const count = elementCount(value.dims);
    if (count !== value.data.length || count > MOST_ELEMENTS || value.dims.length > 7) throw new Unfit();
    if (!isFloating(value.type)) return;
    const most = MOST[value.type] ?? 1e9;
    const isTame = (x: Plain) => Math.abs(x as number) < most;
    if (value.data.every(isTame)) return;
    const isInfinite = (x: Plain) => Math.abs(x as number) === Number.POSITIVE_INFINITY;
    const wasInfinite = inputs.some((v) => isPlainArray(v) && isFloating(v.type) && v.data.some(isInfinite));
    if (!wasInfinite || !value.data.every((x) => isTame(x) || isInfinite(x))) throw new Unfit();
  }
}

/** Infinities: Winograd's sums, and groups whose weights are filled up with zeros, would spread them. */
const isWild = (value: PlainValue | undefined) =>
  isPlainArray(value) && isFloating(value.type) && !value.data.every((x) => Number.isFinite(x));

const hasEmptyMap = (value: PlainValue | undefined) => isPlainArray(value) && value.dims.slice(2).some((d) => d <= 0);

/** A definition that throws has been given what it does not take. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const alone = (node: ProgramNode, scope: Values, around: Surroundings) =>
  runAlone(node, scope, around).catch(() => {
    throw new Unfit();
  });

export const plainOf = (type: ElementType, value: number): Plain => {
  if (type === 'string') return `${value}`;
  const x = type.startsWith('u') ? Math.abs(value) : value;
  if (type === 'int64' || type === 'uint64') return BigInt(Math.trunc(x));
  if (isFloating(type)) return x;
  return NARROW.has(type) ? x & 1 : Math.trunc(x);
};

/** Types of which all hold 0 and 1. */
const NARROW: ReadonlySet<ElementType> = new Set(['bool', 'int2', 'uint2']);

export const isTensor = (value: Known): value is KnownTensor => 'dims' in value;

function known(name: string, values: readonly PlainValue[]): Known {
  const arrays = values.filter(isPlainArray);
  const [first] = arrays;
  if (!first || arrays.length < values.length) return { name, values };
  if (arrays.some(({ dims }) => dims.length !== first.dims.length)) return { name, values };
  const dims = first.dims.map((d, axis) => (arrays.every((array) => array.dims[axis] === d) ? d : -1));
  return { name, values, type: first.type, dims } as KnownTensor;
}
