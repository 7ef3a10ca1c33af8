import type { NodeProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { Facts } from '../../graph/facts.js';
import type { Value } from '../../graph/graph.js';
import { readAttributes } from '../../model/attributes.js';
import { DimSymbols } from '../../model/types.js';
import { inferNode } from './infer-node.js';
import type { Surroundings } from './step.js';

/** Infers the outputs of a node that a recipe created, as it may be converted further. */
export function inferMade({ opType, input, output, attribute }: NodeProto, opset: number, around: Surroundings): void {
  if (output.every((name) => !name || around.factOf(name)) || attribute.some(({ g }) => g)) return;
  const facts = new Facts();
  const operand = (name: string): Value | null => {
    if (!name) return null;
    const value: Value = { name };
    const fact = around.factOf(name);
    if (fact) facts.set(value, fact);
    return value;
  };
  const [inputs, outputs] = [input.map(operand), output.map((name): Value | null => (name ? { name } : null))];
  try {
    const attributes = readAttributes(attribute, {
      external: undefined,
      symbols: new DimSymbols(),
      readGraph: noGraph,
    });
    inferNode({ name: opType, domain: '', op: opType, opset, inputs, outputs, attributes }, facts);
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
  }
  for (const value of outputs) {
    const fact = value && facts.get(value);
    if (fact) around.declare(value.name, fact);
  }
}

function noGraph(): never {
  throw new SardonyxError('INTERNAL', 'nodes with subgraphs are not inferred');
}
