import type { NodeProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { toNumber } from '../../../model/int64.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { bytesOf } from '../../../tensor/stored-tensor.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { BlobFile } from './blob-file.js';
import {
  constant,
  inFile,
  type Literal,
  literalConstant,
  type MilType,
  operation,
  type Shaped,
  scalar,
} from './mil.js';
import type { Bytes } from './wire.js';

/** The MIL types of ONNX types. Integers have 32 bits. */
const TYPES: Partial<Record<ElementType, MilType>> = { float32: 'fp32', int64: 'int32', int32: 'int32', bool: 'bool' };

export const milTypeOf = (type: ElementType): MilType | undefined => TYPES[type];

export const milType = (type: ElementType): MilType =>
  milTypeOf(type) ?? refuse(`Core ML export does not support ${type}`);

export function refuse(reason: string): never {
  throw new SardonyxError('UNSUPPORTED_OPERATOR', reason);
}

/** Floats with at least this number of elements go to the weight file, as in coremltools. */
const LEAST_IN_FILE = 10;

/**
 * Operations that support all types, or numbers. Others support only floats; `logical_` operations support only
 * booleans.
 */
const OF_ALL = new Set('cast concat identity reshape select slice_by_index split tile transpose'.split(' '));
const OF_NUMBERS = new Set(
  (
    'abs add cumsum equal gather greater greater_equal less less_equal matmul maximum minimum mul pow sign sub ' +
    'reduce_argmax reduce_argmin reduce_max reduce_mean reduce_min reduce_prod reduce_sum reduce_sum_square'
  ).split(' '),
);

function takes(operation: string, type: MilType): boolean {
  if (OF_ALL.has(operation)) return true;
  const isLogical = operation.startsWith('logical_');
  if (type === 'bool' || isLogical) return type === 'bool' && isLogical;
  return type === 'fp32' || OF_NUMBERS.has(operation);
}

/** Facts about the model during the conversion. */
export interface Known {
  readonly types: ReadonlyMap<string, Shaped>;
  /** Values whose types Core ML does not support. */
  readonly foreign: ReadonlyMap<string, ElementType>;
  readonly constants: ReadonlyMap<string, TensorValue>;
}

export type Input = string | Literal | readonly string[];

/** Builds an MIL program. Value names are unique and consist of letters, digits and _. */
export class Program {
  readonly operations: Bytes[] = [];
  readonly #taken = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #made = new Set<string>();
  /** Types by program names. */
  readonly #types = new Map<string, MilType>();

  constructor(
    readonly known: Known,
    readonly blobs: BlobFile,
  ) {}

  /** Returns a unique name similar to `like`. */
  fresh(like: string): string {
    const base = like.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?![A-Za-z_])/, '_');
    let name = base;
    for (let i = 1; this.#taken.has(name); i++) name = `${base}_${i}`;
    this.#taken.add(name);
    return name;
  }

  /** Assigns a name to a value of the model. */
  define(value: string): string {
    const name = this.fresh(value);
    this.#names.set(value, name);
    this.#types.set(name, this.shapeOf(value).type);
    return name;
  }

  /** Maps a value of the model to an existing name. */
  alias(value: string, name: string): void {
    this.#names.set(value, name);
  }

  shapeOf(value: string): Shaped {
    const foreign = this.known.foreign.get(value);
    if (foreign) refuse(`Core ML does not support "${value}" of type ${foreign}`);
    return this.known.types.get(value) ?? refuse(`"${value}" has dynamic dimensions; Core ML needs fixed sizes`);
  }

  /** The program's name for a value of the model. A constant is written on first use. */
  value(name: string): string {
    const own = this.#names.get(name);
    if (own !== undefined) return own;
    const tensor = this.known.constants.get(name) ?? refuse(`"${name}" is the output of an unsupported node`);
    return this.#constant(this.define(name), tensor);
  }

  literal(value: Literal, like: string): string {
    const name = this.fresh(like);
    this.operations.push(literalConstant(name, value));
    return name;
  }

  #constant(name: string, tensor: TensorValue): string {
    const shaped = { type: milType(tensor.type), dims: tensor.dims };
    const numbers = numbersOf(tensor);
    if (shaped.type === 'fp32' && numbers.length >= LEAST_IN_FILE)
      this.operations.push(constant(name, shaped, inFile(shaped, this.blobs.add(bytesOf(tensor)))));
    else this.operations.push(literalConstant(name, { ...shaped, values: Array.from(numbers, checked(shaped.type)) }));
    return name;
  }

  /** Whether the value is the output of an operation rather than a constant or an input. */
  isMade(name: string): boolean {
    return this.#made.has(name);
  }

  /** Writes an operation. */
  emit(type: string, inputs: Readonly<Record<string, Input>>, outputs: readonly (readonly [string, Shaped])[]): void {
    const [[first] = ['']] = outputs;
    const names = Object.entries(inputs).map(([name, input]) => {
      if (typeof input === 'string') return [name, [input]] as const;
      return [name, Array.isArray(input) ? input : [this.literal(input as Literal, `${first}_${name}`)]] as const;
    });
    const { a, x, values } = Object.fromEntries(names);
    const given = this.#types.get((a ?? x ?? values)?.[0] ?? '');
    if (given && !takes(type, given)) refuse(`Core ML's ${type} does not support ${given}`);
    this.operations.push(operation(type, Object.fromEntries(names), outputs));
    for (const [name, shaped] of outputs) {
      this.#made.add(name);
      this.#types.set(name, shaped.type);
    }
  }
}

const checked = (type: MilType) => (value: number) =>
  type === 'int32' && Math.abs(value) > 2 ** 31 - 1 ? refuse(`${value} does not fit in 32 bits`) : Number(value);

/** A node and its values. */
export class View {
  readonly #attributes: ReadonlyMap<string, NodeProto['attribute'][number]>;

  constructor(
    readonly node: NodeProto,
    readonly program: Program,
  ) {
    this.#attributes = new Map(node.attribute.map((attribute) => [attribute.name, attribute]));
  }

  has(i: number): boolean {
    return Boolean(this.node.input[i]);
  }

  /** The program's name for an input. */
  x(i: number): string {
    return this.program.value(this.node.input[i] as string);
  }

  in(i: number): Shaped {
    return this.program.shapeOf(this.node.input[i] as string);
  }

  get out(): Shaped {
    return this.program.shapeOf(this.node.output[0] as string);
  }

  /** The program's name for an input that must be a constant. */
  fixed(i: number): string {
    this.numbers(i);
    return this.x(i);
  }

  /** The numbers of an input that must be a constant. */
  numbers(i: number): readonly number[] {
    const name = this.node.input[i] as string;
    const tensor = this.program.known.constants.get(name) ?? refuse(`input ${i} must be constant`);
    return Array.from(numbersOf(tensor));
  }

  int(name: string, otherwise: number): number {
    const found = this.#attributes.get(name);
    return found ? toNumber(found.i) : otherwise;
  }

  ints(name: string): readonly number[] | undefined {
    return this.#attributes.get(name)?.ints.map(toNumber);
  }

  float(name: string, otherwise: number): Literal {
    return scalar('fp32', this.#attributes.get(name)?.f ?? otherwise);
  }

  text(name: string, otherwise: string): string {
    const found = this.#attributes.get(name);
    return found ? new TextDecoder().decode(found.s) : otherwise;
  }

  /** Writes an operation that produces the node's outputs. */
  give(type: string, inputs: Readonly<Record<string, Input>>): void {
    const outputs = this.node.output.filter(Boolean);
    this.program.emit(
      type,
      inputs,
      outputs.map((name) => [this.program.define(name), this.program.shapeOf(name)] as const),
    );
  }

  /** Writes an operation with an intermediate result, and returns its name. */
  step(type: string, inputs: Readonly<Record<string, Input>>, shaped: Shaped): string {
    const name = this.program.fresh(`${this.node.output[0]}_${type}`);
    this.program.emit(type, inputs, [[name, shaped]]);
    return name;
  }

  literal(value: Literal): string {
    return this.program.literal(value, `${this.node.output[0]}_constant`);
  }
}

export type Recipe = (view: View) => void;
