import type { Model, Node, Value } from '../../../graph/graph.js';
import { writeModel } from '../../../model/write-model.js';
import { type Draft, OPSET } from './draft.js';
import { needed } from './needed.js';
import { withOpenSizes } from './open-sizes.js';

/** A graph with its borders. */
export interface Written {
  readonly draft: Draft;
  readonly inputs: readonly Value[];
  readonly outputs: readonly (readonly [name: string, value: Value])[];
}

/** IR version of ONNX 1.13, which opset 18 came with. */
const IR_VERSION = 8;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The bytes of a model that has of what was written what its outputs need. */
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

/** Values under the names of outputs: what has another one already is copied. */
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
