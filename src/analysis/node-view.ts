import { account } from '../account.js';
import { type ErrorCode, onBehalfOf, SardonyxError } from '../base/errors.js';
import type { Fact, Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import type { Size } from '../graph/sizes.js';
import { formatType, tensorType, type ValueType } from '../graph/types.js';
import type { AnyOperator, Inference } from '../schema/definition.js';
import { attributesOf, operatorOf } from '../schema/registry.js';
import { checkArity, checkTypes } from '../schema/signature.js';
import { byteLength, type ElementType } from '../tensor/element-types.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** The maximum size of linear memory. */
const MAX_BYTES = 2 ** 32;

/** Bit masks of inputs: all of them, and a single one. Inputs from 31 on share a bit. */
export const EVERYTHING = -1;
export const bitOf = (i: number): number => 1 << Math.min(i, 31);

const isOfFloats = (type: ValueType | undefined): boolean => type?.kind === 'tensor' && /^b?float/.test(type.element);

/** A node with the facts about its inputs: the context of an operator's rules. */
export class NodeView implements Inference<Record<string, unknown>> {
  readonly operator: AnyOperator;
  readonly attributes: Record<string, unknown>;
  /** Bit mask of inputs whose contents have been read. The node's plan depends on no other contents. */
  looked = 0;

  constructor(
    readonly node: Node,
    readonly facts: Facts,
  ) {
    this.operator = operatorOf(node);
    this.attributes = attributesOf(node);
  }

  get inputCount(): number {
    return this.node.inputs.length;
  }

  get outputCount(): number {
    return this.node.outputs.length;
  }

  given(i: number): boolean {
    return this.node.inputs[i] != null;
  }

  wanted(i: number): boolean {
    return this.node.outputs[i] != null;
  }

  /** The value at input `i`. Throws an error if it is absent. */
  operand(i: number): Value {
    return this.node.inputs[i] ?? this.fail('INVALID_GRAPH', `its input ${i} is missing`);
  }

  type(i: number): ValueType {
    const value = this.operand(i);
    return this.facts.get(value)?.type ?? this.fail('INVALID_TYPE', `nothing is known of its input "${value.name}"`);
  }

  element(i: number): ElementType {
    const type = this.type(i);
    if (type.kind === 'tensor') return type.element;
    return this.fail('INVALID_TYPE', `input ${i} must be a tensor, not ${formatType(type)}`);
  }

  declared(i: number): ElementType {
    return this.element(i);
  }

  dims(i: number): readonly Size[] | undefined {
    const type = this.type(i);
    if (type.kind === 'tensor') return type.dims;
    return this.fail('INVALID_TYPE', `input ${i} must be a tensor, not ${formatType(type)}`);
  }

  #fact(i: number): Fact | undefined {
    const value = this.node.inputs[i];
    return value ? this.facts.get(value) : undefined;
  }

  hasContents(i: number): boolean {
    return this.#fact(i)?.contents !== undefined;
  }

  contents(i: number): TensorValue | undefined {
    this.looked |= bitOf(i);
    return this.#fact(i)?.contents;
  }

  /** Does not count floats as read, because their contents are never sizes. */
  sizes(i: number): readonly Size[] | undefined {
    const fact = this.#fact(i);
    if (!isOfFloats(fact?.type)) this.looked |= bitOf(i);
    return fact?.sizes;
  }

  unknown(): Size {
    return this.facts.unknown();
  }

  /** Called with the input types of a subgraph. */
  meet?(graph: Graph, inputs: readonly (ValueType | null)[]): void;

  /** Infers a subgraph instead of the default, which uses a fork of the facts. */
  inferGraph?(graph: Graph, inputs: readonly (ValueType | null)[]): readonly (ValueType | null)[];

  fail(code: ErrorCode, message: string): never {
    throw new SardonyxError(code, message, { node: this.node.name, operator: this.node.op });
  }

  /** Checks arity and, for the selected inputs, element types and the ranks of planned ones. */
  check(inputs: (i: number) => boolean = () => true): void {
    const { node, operator } = this;
    checkArity(node, operator.signature);
    const types = node.inputs.map((value, i) => (value && inputs(i) ? (this.facts.get(value)?.type ?? null) : null));
    checkTypes(node, operator.signature, operator.types, types);
    for (const i of operator.planned) if (inputs(i)) this.#checkPlanned(i);
  }

  /** Checks that a planned input, such as axes or sizes, is a scalar or a vector. */
  #checkPlanned(i: number): void {
    if (!this.given(i)) return;
    const type = this.type(i);
    if (type.kind !== 'tensor') this.fail('INVALID_TYPE', `input ${i} must be a tensor, not ${formatType(type)}`);
    if (type.element !== 'bool' && type.dims && type.dims.length > 1)
      this.fail('INVALID_SHAPE', `input ${i} must be a scalar or a vector, not [${type.dims}]`);
  }

  /** Infers the types of the outputs. Throws an error if no memory could hold one of them. */
  outputTypes(): (ValueType | null)[] {
    const types = onBehalfOf(this.node, () => this.operator.infer(this));
    for (const type of types) if (type?.kind === 'tensor' && type.dims) this.#checkSize(type.element, type.dims);
    return types;
  }

  #checkSize(element: ElementType, dims: readonly Size[]): void {
    const known = dims.filter((d) => typeof d === 'number');
    const result = () => `its inputs give a result of ${formatType(tensorType(element, dims))}`;
    if (!known.every((d) => Number.isInteger(d) && d >= 0)) this.fail('INVALID_SHAPE', result());
    if (known.length < dims.length) return;
    const bytes = byteLength(element, elementCount(known));
    if (bytes <= MAX_BYTES) return;
    onBehalfOf(this.node, () => account()?.demandAlone(bytes, `a result of ${formatType(tensorType(element, dims))}`));
    this.fail('OUT_OF_MEMORY', `${result()}; a tensor has at most 4 GiB`);
  }

  /** Infers the outputs, and records them as facts. */
  infer(): void {
    const types = this.outputTypes();
    const sizes = this.operator.sizes?.(this);
    this.node.outputs.forEach((value, i) => {
      const type = types[i];
      if (value && type) this.facts.set(value, i === 0 && sizes ? { type, sizes } : { type });
    });
  }
}
