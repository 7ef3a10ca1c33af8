import type { Model, Node, Value } from '../../../graph/graph.js';
import { writeModel } from '../../../model/write-model.js';
import { type Draft, OPSET } from './draft.js';
import { needed } from './needed.js';
import { withOpenSizes } from './open-sizes.js';

/** A graph with its inputs and outputs. */
export interface Written {
  readonly draft: Draft;
  readonly inputs: readonly Value[];
  readonly outputs: readonly (readonly [name: string, value: Value])[];
}

/** The IR version of ONNX 1.13, which introduced opset 18. */
const IR_VERSION = 8;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Serializes the nodes that the outputs depend on as a model. */
export function complete(
  { draft, inputs, outputs }: Written,
  producer: string,
  metadata: ReadonlyMap<string, string>,
): Uint8Array {
  const results = named(draft, inputs, outputs);
  const model: Model = {
    irVersion: IR_VERSION,
    producer,
    opsets: new Map([['', OPSET]]),
    metadata,
    functions: [],
    graph: { name: 'main', inputs: [...inputs], outputs: results, nodes: needed(draft.nodes, results) },
  };
  return writeModel(model);
}

/** Renames values to outputs. A value that is an input, a constant or another output is copied. */
function named({ nodes, facts }: Draft, inputs: readonly Value[], outputs: Written['outputs']): Value[] {
  const made = new Map(nodes.flatMap((node) => node.outputs.map((value) => [value, node])));
  const taken = new Set<Value>(inputs);
  return outputs.map(([name, value]) => {
    const isFree = made.has(value) && !taken.has(value);
    const result: Mutable<Value> = isFree ? value : { name };
    if (!isFree) nodes.push(copy(value, result));
    taken.add(result);
    result.name = name;
    const type = facts.get(value)?.type;
    if (type) result.type = withOpenSizes(type, name);
    return result;
  });
}

const copy = (value: Value, result: Value): Node => ({
  name: `${result.name}/Identity`,
  domain: '',
  op: 'Identity',
  inputs: [value],
  outputs: [result],
  attributes: {},
});
