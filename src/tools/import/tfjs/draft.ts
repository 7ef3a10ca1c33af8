import { factOf } from '../../../analysis/fold.js';
import { foldedNode, foldNode } from '../../../analysis/infer-graph.js';
import { NodeView } from '../../../analysis/node-view.js';
import { SardonyxError } from '../../../base/errors.js';
import { type Fact, Facts } from '../../../graph/facts.js';
import type { Attribute, Graph, Node, Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import type { ValueType } from '../../../graph/types.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { sunk } from './layout.js';
import { compose, inverse, isIdentity, type Permutation } from './permutation.js';

/**
 * The first opset in which all reductions, Split and Pad take axes or sizes as inputs, as TensorFlow may compute them.
 * All current runtimes support it.
 */
export const OPSET = 18;

/** The value of an attribute: integers, lists of integers and strings are converted; use `float` for floats. */
export type Setting = number | string | readonly number[] | Attribute | undefined;
export type Settings = Readonly<Record<string, Setting>>;
/** The domain of TensorFlow's own nodes. */
export const TENSORFLOW = 'tensorflow';

type Inputs = readonly (Value | null)[];

export const float = (value: number): Attribute => ({ type: 'float', value });
export const graph = (value: Graph): Attribute => ({ type: 'graph', value });

export const refuse = (reason: string): never => {
  throw new SardonyxError('UNSUPPORTED_OPERATOR', reason);
};

/** A value that is the transpose of another. */
export interface Transposed {
  readonly base: Value;
  readonly permutation: Permutation;
}

/**
 * Builds a graph. The types of values are inferred as nodes are added, and constant results are folded. Transposes move
 * after operators that commute with them, and adjacent ones are combined.
 */
export class Draft {
  readonly nodes: Node[] = [];
  /** The prefix of node names. */
  scope = 'node';
  readonly #counts = new Map<string, number>();
  readonly #transposed = new Map<Value, Transposed>();
  readonly #narrowed = new Map<Value, Value>();

  constructor(readonly facts = new Facts()) {}

  /** Adds an operator with one output. Moves transposes of its inputs after it if possible. */
  op(op: string, inputs: Inputs, settings: Settings = {}): Value {
    return sunk(this, op, inputs, settings) ?? this.emit(op, inputs, settings);
  }

  /** Adds an operator with one output and leaves transposes in place. */
  emit(op: string, inputs: Inputs, settings: Settings = {}): Value {
    return this.all(op, inputs, settings, 1)[0] as Value;
  }

  all(op: string, inputs: Inputs, settings: Settings, count: number): Value[] {
    if (inputs.includes(undefined as never)) throw new SardonyxError('INVALID_MODEL', 'the node has too few inputs');
    const outputs = Array.from({ length: count }, (_, i): Value => ({ name: this.#name(i ? `${op}_${i}` : op) }));
    const [{ name }] = outputs as [Value];
    const node: Node = {
      name,
      domain: '',
      op,
      opset: OPSET,
      inputs: [...inputs],
      outputs,
      attributes: toAttributes(settings),
    };
    const view = new NodeView(node, this.facts);
    view.check();
    if (foldNode(view, foldedNode(view))) return outputs;
    view.infer();
    this.nodes.push(node);
    return outputs;
  }

  /** Adds a TensorFlow node with an output of the given type. */
  place(op: string, inputs: Inputs, settings: Settings, type: ValueType): Value {
    const value: Value = { name: this.#name(op) };
    const attributes = toAttributes(settings);
    this.nodes.push({ name: value.name, domain: TENSORFLOW, op, inputs: [...inputs], outputs: [value], attributes });
    this.facts.set(value, { type });
    return value;
  }

  constant(contents: TensorValue, name = this.#name('constant')): Value {
    const value: Value = { name, constant: contents };
    this.facts.set(value, factOf(contents));
    return value;
  }

  input(name: string, type: ValueType): Value {
    const value: Value = { name, type };
    this.facts.set(value, { type });
    return value;
  }

  number(type: ElementType, value: number): Value {
    return this.constant(tensorOf(type, [], [value]));
  }

  /** A constant int64 vector, for axes, shapes and pads. */
  list(...numbers: number[]): Value {
    return this.constant(tensorOf('int64', [numbers.length], numbers));
  }

  floats(...numbers: number[]): Value {
    return this.constant(tensorOf('float32', [numbers.length], numbers));
  }

  transpose(x: Value, permutation: Permutation): Value {
    const known = this.#transposed.get(x);
    const base = known?.base ?? x;
    const whole = known ? compose(known.permutation, permutation) : permutation;
    if (isIdentity(whole)) return base;
    const result = this.emit('Transpose', [base], { perm: whole });
    this.#transposed.set(result, { base, permutation: whole });
    return result;
  }

  transposedOf = (x: Value | null): Transposed | undefined => (x ? this.#transposed.get(x) : undefined);

  /** Expands a constant of lower rank for broadcasting, and undoes `permutation` on it. */
  aligned(x: Value, permutation: Permutation): Value {
    const { length: rank } = permutation;
    const dims = this.dims(x) ?? [];
    if (dims.length === 0) return x;
    const wide = this.emit('Reshape', [x, this.list(...new Array(rank - dims.length).fill(1), ...(dims as number[]))]);
    return this.transpose(wide, inverse(permutation));
  }

  cast(x: Value, type: ElementType): Value {
    const own = this.element(x);
    if (own === type) return x;
    const wide = this.#narrowed.get(x);
    if (wide && this.element(wide) === type) return wide;
    const result = this.op('Cast', [x], { to: ONNX_TYPES[type] ?? refuse(`ONNX does not support the type ${type}`) });
    if (own === 'int64' && type === 'int32') this.#narrowed.set(result, x);
    return result;
  }

  /** Converts a tensor with one element to a scalar. */
  scalar(x: Value): Value {
    return this.dims(x)?.length === 0 ? x : this.emit('Squeeze', [x]);
  }

  /** Casts to int64, the type of shapes and axes. */
  long = (x: Value): Value => this.cast(x, 'int64');
  /** Casts to int32, the integer type of TensorFlow.js. */
  int = (x: Value): Value => this.cast(x, 'int32');
  /** The shape as int64. */
  shape = (x: Value): Value => this.emit('Shape', [x]);

  reshape = (x: Value, ...shape: number[]): Value => this.op('Reshape', [x, this.list(...shape)]);
  unsqueeze = (x: Value, ...axes: number[]): Value => this.emit('Unsqueeze', [x, this.list(...axes)]);
  squeeze = (x: Value, ...axes: number[]): Value => this.op('Squeeze', [x, this.list(...axes)]);
  slice(x: Value, axis: number, begin: number, end: number, step = 1): Value {
    return this.emit('Slice', [x, this.list(begin), this.list(end), this.list(axis), this.list(step)]);
  }

  fact(x: Value): Fact {
    const fact = x && this.facts.get(x);
    if (!fact)
      throw new SardonyxError(
        'INVALID_MODEL',
        x ? `the type of "${x.name}" is unknown` : 'the node has too few inputs',
      );
    return fact;
  }

  element(x: Value): ElementType {
    const { type } = this.fact(x);
    return type.kind === 'tensor' ? type.element : refuse(`"${x.name}" must be a tensor, got a list of tensors`);
  }

  dims(x: Value): readonly Size[] | undefined {
    const { type } = this.fact(x);
    return type.kind === 'tensor' ? type.dims : undefined;
  }

  rank(x: Value): number {
    return this.dims(x)?.length ?? refuse(`the rank of "${x.name}" must be known`);
  }

  /** The size of an axis, which must be known. */
  size(x: Value, axis: number): number {
    const size = this.dims(x)?.at(axis);
    return typeof size === 'number' ? size : refuse(`the size of axis ${axis} of "${x.name}" must be known`);
  }

  /** The values of a small constant tensor. */
  known(x: Value | undefined): number[] | undefined {
    const contents = x && this.fact(x).contents;
    return contents && elementCount(contents.dims) <= MOST_NUMBERS
      ? Array.from(numbersOf(contents), Number)
      : undefined;
  }

  numbers(x: Value, what: string): number[] {
    return this.known(x) ?? refuse(`${what} must be constant`);
  }

  axis(x: Value, of: Value, what = 'axis'): number {
    const [axis = 0] = this.numbers(x, what);
    return axis < 0 ? axis + this.rank(of) : axis;
  }

  #name(op: string): string {
    const name = `${this.scope}/${op}`;
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count ? `${name}_${count}` : name;
  }
}

const MOST_NUMBERS = 1 << 16;

const ONNX_TYPES: Partial<Record<ElementType, number>> = {
  float32: 1,
  uint8: 2,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
};

const toAttributes = (settings: Settings): Record<string, Attribute> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, setting]) =>
      setting === undefined ? [] : [[name, attributeOf(setting)]],
    ),
  );

function attributeOf(setting: Exclude<Setting, undefined>): Attribute {
  if (typeof setting === 'number') return { type: 'int', value: setting };
  if (typeof setting === 'string') return { type: 'string', value: setting };
  return 'type' in setting ? setting : { type: 'ints', value: setting };
}
