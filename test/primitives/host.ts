import { evaluateOnHost } from '../../src/analysis/evaluate.js';
import { NodeView } from '../../src/analysis/node-view.js';
import { toAttributes } from '../../src/builder/attributes.js';
import type { AttributeInputs } from '../../src/builder/index.js';
import { stridesOf } from '../../src/graph/dims.js';
import { Facts } from '../../src/graph/facts.js';
import type { Node, Value } from '../../src/graph/graph.js';
import { tensorType } from '../../src/graph/types.js';
import { numbersOf } from '../../src/tensor/numbers.js';
import { evaluateStrided } from '../../src/tensor/strided.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';

/** An operator as `domain:Name`, and what it is given. */
export interface NodeCase {
  readonly op: string;
  /** `null`: left out. */
  readonly inputs: readonly (TensorValue | null)[];
  readonly attributes?: AttributeInputs;
  readonly outputs?: number;
}

export function namedIn(op: string): { domain: string; name: string } {
  const at = op.lastIndexOf(':');
  return { domain: op.slice(0, Math.max(at, 0)), name: op.slice(at + 1) };
}

/** What the host computes of a node of the operator's newest version: its reference, where it is a primitive. */
export function evaluate({ op, inputs, attributes = {}, outputs = 1 }: NodeCase): TensorValue[] {
  const { domain, name } = namedIn(op);
  const facts = new Facts();
  const values = inputs.map((x, i): Value | null => {
    if (!x) return null;
    const value = { name: `x${i}` };
    facts.set(value, { type: tensorType(x.type, x.dims), contents: x });
    return value;
  });
  const node: Node = {
    name: op,
    domain,
    op: name,
    inputs: values,
    outputs: Array.from({ length: outputs }, (_, i) => ({ name: `y${i}` })),
    attributes: toAttributes(attributes),
  };
  return evaluateOnHost(new NodeView(node, facts)).slice(0, outputs) as TensorValue[];
}

/** The result of an operator of one output. */
export const evaluated = (
  op: string,
  inputs: readonly (TensorValue | null)[],
  attributes: AttributeInputs = {},
): TensorValue => evaluate({ op, inputs, attributes })[0] as TensorValue;

/** float32 in double precision; anything else as it is. */
export const widened = (x: TensorValue | null): TensorValue | null =>
  x?.type === 'float32' ? { type: 'float64', dims: x.dims, data: Float64Array.from(numbersOf(x)) } : x;

function inOrder(x: TensorValue, axes: readonly number[]): TensorValue {
  const strides = stridesOf(x.dims);
  const pick = (list: readonly number[]) => axes.map((axis) => list[axis] as number);
  return evaluateStrided(x, pick(x.dims), pick(strides), 0);
}

const axesOf = ({ dims }: TensorValue): number[] => dims.map((_, axis) => axis);

/** [N, spatial…, C] as [N, C, spatial…]. */
export const first = (x: TensorValue): TensorValue => inOrder(x, [0, x.dims.length - 1, ...axesOf(x).slice(1, -1)]);

/** [N, C, spatial…] as [N, spatial…, C]. */
export const last = (x: TensorValue): TensorValue => inOrder(x, [0, ...axesOf(x).slice(2), 1]);
