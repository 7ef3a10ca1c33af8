import { graphTypes } from '../../../analysis/subgraph-types.js';
import type { Graph } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { ofAnyShape, tensorType, type ValueType } from '../../../graph/types.js';
import { graph, int, ints } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference, type Iteration } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axisOf } from '../../../schema/shapes.js';
import { takeRows } from '../../../tensor/rows.js';
import { elementCount, type HostValue, integers, type TensorValue } from '../../../tensor/tensor-value.js';
import { carriedTypes } from './carried-types.js';
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

/** Types of the body's results: the states, and the elements of the scanned outputs. */
function resultTypes(c: Inference<Attributes>, first: number, axes: Axes = {}): readonly (ValueType | null)[] {
  const { num_scan_inputs: count, body } = c.attributes;
  if (count < 1 || count > c.inputCount - first)
    c.fail('INVALID_ATTRIBUTE', `num_scan_inputs must be 1 to ${c.inputCount - first}, not ${count}`);
  const stateCount = c.inputCount - first - count;
  if (stateCount > body.outputs.length)
    c.fail(
      'INVALID_GRAPH',
      `there are ${stateCount} loop state variables, but the body has ${body.outputs.length} outputs`,
    );
  const typeOf = (i: number) => dropped(c.type(first + i), first);
  const scanned = Array.from({ length: count }, (_, i) =>
    dropped(typeOf(stateCount + i), 1, axisAt(c, axes.inputAxes?.[i] ?? 0, typeOf(stateCount + i))),
  );
  const states = Array.from({ length: stateCount }, (_, i) => typeOf(i));
  const run = (types: readonly (ValueType | null)[]) => graphTypes(c, body, [...types, ...scanned]);
  const carried = carriedTypes(states, run, () => c.unknown());
  return [...carried, ...run(carried).slice(stateCount)];
}

const axisAt = (c: Inference<unknown>, axis: number, type: ValueType): number =>
  type.kind === 'tensor' && type.dims ? axisOf(c, axis, type.dims.length) : 0;

/** The type without `count` axes from `axis` on. */
function dropped(type: ValueType, count: number, axis = 0): ValueType {
  return type.kind === 'tensor' && type.dims ? { ...type, dims: type.dims.toSpliced(axis, count) } : ofAnyShape(type);
}

/** The type of one element of the batch. */
const ofOne = (type: ValueType | null | undefined) => type && dropped(type, 1);

/** Types of the outputs; sequences run along the axes that the node names. */
function outputTypes(c: Inference<Attributes>, first: number, axes: Axes = {}): (ValueType | null)[] {
  const stateCount = c.inputCount - first - c.attributes.num_scan_inputs;
  const results = resultTypes(c, first, axes);
  const batch = first > 0 ? [sizeAt(c, first, 0)] : [];
  const length = sizeAt(c, first + stateCount, (axes.inputAxes?.[0] ?? 0) + first);
  return results.map((type, i) => {
    if (type?.kind !== 'tensor' || !type.dims) return type;
    if (i < stateCount) return tensorType(type.element, [...batch, ...type.dims]);
    const axis = axisOf(c, axes.outputAxes?.[i - stateCount] ?? 0, type.dims.length + 1);
    return tensorType(type.element, [...batch, ...type.dims.toSpliced(axis, 0, length)]);
  });
}

const sizeAt = (c: Inference<unknown>, i: number, axis: number): Size => c.dims(i)?.at(axis) ?? c.unknown();

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
  if (lengths.some((n) => n !== length)) c.fail('INVALID_SHAPE', `scan inputs have different lengths: ${lengths}`);
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
    const type = parts.length > 0 ? undefined : resultTypes(c, first, { inputAxes })[states.length + k];
    return gathered(parts, type, axis);
  });
  return [...carried, ...outputs];
}

const axesOf = (attributes: {
  readonly scan_input_axes: readonly number[] | undefined;
  readonly scan_input_directions: readonly number[] | undefined;
  readonly scan_output_axes: readonly number[] | undefined;
  readonly scan_output_directions: readonly number[] | undefined;
}): Axes => ({
  inputAxes: attributes.scan_input_axes,
  inputDirections: attributes.scan_input_directions,
  outputAxes: attributes.scan_output_axes,
  outputDirections: attributes.scan_output_directions,
});

/** The first `length` elements of a sequence, padded with zeros after its end. */
function resized(x: TensorValue, length: number): TensorValue {
  const [own = 0, ...inner] = x.dims;
  if (own === length) return x;
  const sources = Array.from({ length }, (_, i) => (i < own ? i : -1));
  return takeRows(x, sources, elementCount(inner), [length, ...inner]);
}

/** https://onnx.ai/onnx/operators/onnx__Scan.html; opset 8 scans each sequence of a batch separately. */
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
    infer: (c) => outputTypes(c, 0, axesOf(c.attributes)),
    *iterate(c) {
      const values = Array.from({ length: c.inputCount }, (_, i) => c.tensor(i));
      const states = values.length - c.attributes.num_scan_inputs;
      return yield* scanned(c, 0, values.slice(0, states), values.slice(states), axesOf(c.attributes));
    },
  }),
  defineOp({
    name: 'Scan',
    since: 8,
    signature: 'sequence_lens?: int64, initial_state_and_scan_inputs*: V -> final_state_and_scan_outputs...: V',
    types: { V: ANY },
    attributes: { body: graph.required, num_scan_inputs: int.required, directions: ints() },
    deterministic: false,
    infer: (c) => outputTypes(c, 1),
    *iterate(c) {
      const values = Array.from({ length: c.inputCount - 1 }, (_, i) => c.tensor(i + 1));
      const states = values.length - c.attributes.num_scan_inputs;
      const [batch = 0] = values[0]?.dims ?? [];
      const longest = values[states]?.dims[1] ?? 0;
      const lengths = c.given(0) ? integers(c.tensor(0)) : new Array<number>(batch).fill(longest);
      const batches = [lengths.length, ...values.map(({ dims }) => dims[0] ?? 1)];
      if (batches.some((size) => size !== batch))
        c.fail('INVALID_SHAPE', `inputs have different batch sizes: ${batches}`);
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
        return parts.length > 0 ? stack(parts, 0) : emptyStack(ofOne(outputTypes(c, 1)[k]), 0);
      });
    },
  }),
];
