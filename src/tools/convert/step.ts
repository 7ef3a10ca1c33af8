import { type AttributeProto, NodeProto, type TensorProto } from '../../../build/onnx.js';
import type { Fact } from '../../graph/facts.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType, type ValueType } from '../../graph/types.js';
import { readTensor } from '../../model/tensors.js';
import type { ElementType } from '../../tensor/element-types.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import type { Schema } from '../schemas/schemas.js';
import { block, constantNode, tensorProto, valuesOf } from './node.js';

/** Facts about the values that a node can read, and functions to add others. */
export interface Surroundings {
  typeOf(name: string): ValueType | undefined;
  contentsOf(name: string): TensorValue | undefined;
  factOf(name: string): Fact | undefined;
  /** Whether a value is an input with a default, which callers may replace. */
  isDefault(name: string): boolean;
  /** Whether a node or a graph output reads the value. */
  isRead(name: string): boolean;
  /** Returns a unique name. */
  fresh(base: string): string;
  /** Records the type and contents of a new constant. The outputs of other new nodes are inferred. */
  declare(name: string, fact: Fact): void;
  /** Adds the tensor as an initializer. Returns false in a function, which has no initializers. */
  initialize(tensor: TensorProto): boolean;
}

/** A node to replace. */
export interface Placed extends Surroundings {
  readonly node: NodeProto;
  /** The opset of the replacement. */
  readonly opset: number;
}

/** A node to convert from one version of its operator to the next. */
export interface Step extends Placed {
  /** The schema of the node's version. */
  readonly from: Schema;
}

/**
 * Returns the replacement of a node in topological order. Nodes with the same operator are then adapted to the
 * attributes and types of the new version.
 */
export type Recipe = (step: Step) => readonly NodeProto[];

/** A recipe for a node whose operator has no ONNX schema in its opset. */
export type PlacedRecipe = (step: Placed) => readonly NodeProto[];

/** Recipes by operator and the newer of both versions, such as `Softmax 13`. */
export type Recipes = Readonly<Record<string, { readonly up?: Recipe; readonly down?: Recipe }>>;

export const elementAt = ({ node, typeOf }: Placed, i: number): ElementType | undefined => {
  const type = typeOf(node.input[i] ?? '');
  return type?.kind === 'tensor' ? type.element : undefined;
};

export const dimsAt = ({ node, typeOf }: Placed, i: number): readonly Size[] | undefined => {
  const type = typeOf(node.input[i] ?? '');
  return type?.kind === 'tensor' ? type.dims : undefined;
};

/** The contents of a constant input. */
export const numbersIn = ({ node, contentsOf }: Placed, i: number): number[] | undefined => {
  const contents = contentsOf(node.input[i] ?? '');
  return contents && contents.type !== 'string' ? Array.from(numbersOf(contents)) : undefined;
};

export const neededElement = (step: Placed, i: number): ElementType =>
  elementAt(step, i) ?? block(`the type of the input "${step.node.input[i] ?? ''}" is unknown`);

export const neededDims = (step: Placed, i: number): readonly Size[] =>
  dimsAt(step, i) ?? block(`the rank of the input "${step.node.input[i] ?? ''}" is unknown`);

export function neededNumbers(step: Placed, i: number): number[] {
  const name = step.node.input[i] ?? '';
  const remedy = step.isDefault(name)
    ? ', but the default value of a model input; set fixDefaults to treat it as constant'
    : '';
  return numbersIn(step, i) ?? block(`the input "${name}" is not constant${remedy}`);
}

/** The numeric value of an attribute, or its default. */
export function given(step: Placed, name: string, fallback: number): number {
  const attribute = step.node.attribute.find((a) => a.name === name);
  return attribute ? Number(valuesOf(attribute)[0]) : fallback;
}

/** Builds the replacement of a node. */
export interface Draft {
  readonly nodes: NodeProto[];
  /** Adds a node and returns the name of its output. */
  emit(opType: string, input: readonly string[], attribute?: readonly AttributeProto[]): string;
  constant(element: ElementType, dims: readonly number[], values: readonly number[]): string;
  vector(values: readonly number[]): string;
  /** Adds the node that produces the outputs of the replaced node, and returns all nodes. */
  end(opType: string, input: readonly string[], attribute?: readonly AttributeProto[]): readonly NodeProto[];
}

/** A Constant node. */
export function constantIn({ declare }: Placed, name: string, tensor: TensorProto): NodeProto {
  const contents = readTensor(tensor);
  declare(name, { type: tensorType(contents.type, contents.dims), contents });
  return constantNode(name, tensor);
}

export function draftOf(step: Placed): Draft {
  const { node, fresh } = step;
  const nodes: NodeProto[] = [];
  const base = node.output.find(Boolean) ?? (node.name || node.opType);
  const draft: Draft = {
    nodes,
    emit(opType, input, attribute = []) {
      const output = fresh(`${base}_${opType}`);
      nodes.push(new NodeProto({ opType, input: [...input], output: [output], attribute: [...attribute] }));
      return output;
    },
    constant(element, dims, values) {
      const name = fresh(`${base}_constant`);
      nodes.push(constantIn(step, name, tensorProto(element, dims, values)));
      return name;
    },
    vector: (values) => draft.constant('int64', [values.length], values),
    end(opType, input, attribute = []) {
      nodes.push(new NodeProto({ ...node, opType, input: [...input], attribute: [...attribute] }));
      return nodes;
    },
  };
  return draft;
}
