import { graphTypes } from '../../../analysis/subgraph-types.js';
import type { Graph } from '../../../graph/graph.js';
import { ofAnyShape, type ValueType } from '../../../graph/types.js';
import { graph, int, ints } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference, type Iteration } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { takeRows } from '../../../tensor/rows.js';
import { elementCount, type HostValue, integers, type TensorValue } from '../../../tensor/tensor-value.js';
import { collect, emptyStack, gathered, slice, stack } from './stack.js';

interface Attributes {
  readonly body: Graph;
  readonly num_scan_inputs: number;
}

interface Axes {
  readonly inputAxes?: readonly number[] | undefined;
  readonly inputDirections?: readonly number[] | undefined;
  readonly outputAxes?: readonly number[] | undefined;
  readonly outputDirections?: readonly number[] | undefined;
}

function resultTypes(c: Inference<Attributes>, first: number): readonly (ValueType | null)[] {
  const { num_scan_inputs: count } = c.attributes;
  if (count < 1 || count > c.inputCount - first)
    c.fail('INVALID_ATTRIBUTE', `num_scan_inputs must be 1 to ${c.inputCount - first}, its inputs, not ${count}`);
  const inputs = Array.from({ length: c.inputCount - first }, (_, i) => ofAnyShape(c.type(i + first)));
  return graphTypes(c, c.attributes.body, inputs);
}

/** Runs the body once per element of the scanned inputs; the states are the node's inputs from `first` on. */
function* scanned(
  c: Evaluation<Attributes>,
  first: number,
  states: readonly HostValue[],
  inputs: readonly TensorValue[],
  { inputAxes, inputDirections, outputAxes, outputDirections }: Axes,
): Iteration {
  const { body } = c.attributes;
  const lengths = inputs.map((x, i) => x.dims.at(inputAxes?.[i] ?? 0) as number);
  const [length = 0] = lengths;
  if (lengths.some((n) => n !== length)) c.fail('INVALID_SHAPE', `scan inputs have the lengths ${lengths}`);
  let carried = states;
  const collected = body.outputs.slice(states.length).map((): TensorValue[] => []);
  for (let t = 0; t < length; t++) {
    const elements = inputs.map((x, i) => slice(x, inputAxes?.[i] ?? 0, inputDirections?.[i] ? length - 1 - t : t));
    const results = yield { graph: body, inputs: [...carried, ...elements] };
    carried = results.slice(0, states.length);
    collected.forEach((parts, k) => {
      collect(parts, results[states.length + k] as TensorValue);
    });
  }
  const outputs = collected.map((parts, k) => {
    if (outputDirections?.[k]) parts.reverse();
    const axis = outputAxes?.[k] ?? 0;
    const type = parts.length > 0 ? undefined : resultTypes(c, first)[states.length + k];
    return gathered(parts, type, axis);
  });
  return [...carried, ...outputs];
}

/** The first `length` elements of a sequence, with zeros after its end. */
function resized(x: TensorValue, length: number): TensorValue {
  const [own = 0, ...inner] = x.dims;
  if (own === length) return x;
  const sources = Array.from({ length }, (_, i) => (i < own ? i : -1));
  return takeRows(x, sources, elementCount(inner), [length, ...inner]);
}

/** https://onnx.ai/onnx/operators/onnx__Scan.html; opset 8 scans every sequence of a batch for itself. */
export const scan = [
  defineOp({
    name: 'Scan',
    since: 9,
    signature: 'initial_state_and_scan_inputs*: V -> final_state_and_scan_outputs...: V',
    types: { V: ANY },
    attributes: {
      body: graph.required,
      num_scan_inputs: int.required,
      scan_input_axes: ints(),
      scan_input_directions: ints(),
      scan_output_axes: ints(),
      scan_output_directions: ints(),
    },
    deterministic: false,
    infer: (c) => resultTypes(c, 0).map(ofAnyShape),
    *iterate(c) {
      const values = Array.from({ length: c.inputCount }, (_, i) => c.tensor(i));
      const states = values.length - c.attributes.num_scan_inputs;
      return yield* scanned(c, 0, values.slice(0, states), values.slice(states), {
        inputAxes: c.attributes.scan_input_axes,
        inputDirections: c.attributes.scan_input_directions,
        outputAxes: c.attributes.scan_output_axes,
        outputDirections: c.attributes.scan_output_directions,
      });
    },
  }),
  defineOp({
    name: 'Scan',
    since: 8,
    signature: 'sequence_lens?: int64, initial_state_and_scan_inputs*: V -> final_state_and_scan_outputs...: V',
    types: { V: ANY },
    attributes: { body: graph.required, num_scan_inputs: int.required, directions: ints() },
    deterministic: false,
    infer: (c) => resultTypes(c, 1).map(ofAnyShape),
    *iterate(c) {
      const values = Array.from({ length: c.inputCount - 1 }, (_, i) => c.tensor(i + 1));
      const states = values.length - c.attributes.num_scan_inputs;
      const [batch = 0] = values[0]?.dims ?? [];
      const longest = values[states]?.dims[1] ?? 0;
      const lengths = c.given(0) ? integers(c.tensor(0)) : new Array<number>(batch).fill(longest);
      const rows: TensorValue[][] = [];
      for (const [b, length] of lengths.entries()) {
        const own = values.map((x) => slice(x, 0, b));
        const inputs = own.slice(states).map((x) => resized(x, length));
        const results = yield* scanned(c, 1, own.slice(0, states), inputs, {
          inputDirections: c.attributes.directions,
        });
        rows.push(results.map((x, k) => (k < states ? x : resized(x as TensorValue, longest))) as TensorValue[]);
      }
      return c.attributes.body.outputs.map((_, k) => {
        const parts = rows.map((row) => row[k] as TensorValue);
        return parts.length > 0 ? stack(parts, 0) : emptyStack(resultTypes(c, 1)[k], 0);
      });
    },
  }),
];
