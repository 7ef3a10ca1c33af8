import { axisOf, type Plain, type PlainArray, type PlainValue, plain } from './array.js';
import { int, ints, maybe, type Reference, type References, scalar, tensor } from './definition.js';
import { part, transpose } from './movement.js';

const If: Reference = (node) => node.run?.(scalar(node, 0) ? 'then_branch' : 'else_branch', []);

/** Tensors of one shape along a new first axis. */
function stacked(parts: readonly PlainArray[]): PlainArray | undefined {
  const [first] = parts;
  return (
    first &&
    plain(
      first.type,
      [parts.length, ...first.dims],
      parts.flatMap(({ data }) => data as Plain[]),
    )
  );
}

/** Scan outputs of no iterations have a shape that only the body's types tell: such loops are left out. */
const Loop: Reference = (node) => {
  const { run } = node;
  if (!run) return undefined;
  const most = node.inputs[0] === undefined ? Number.POSITIVE_INFINITY : scalar(node, 0);
  let goesOn = maybe(node, 1)?.data[0] ?? 1;
  let carried = node.inputs.slice(2) as PlainValue[];
  const scans: PlainArray[][] = Array.from({ length: node.outputs - carried.length }, () => []);
  for (let i = 0; i < most && goesOn; i++) {
    const results = run('body', [plain('int64', [], [BigInt(i)]), plain('bool', [], [1]), ...carried]);
    goesOn = (results[0] as PlainArray).data[0] as Plain;
    scans.forEach((scan, k) => {
      scan.push(results[1 + carried.length + k] as PlainArray);
    });
    carried = results.slice(1, 1 + carried.length);
  }
  const collected = scans.map(stacked);
  return collected.includes(undefined) ? undefined : [...carried, ...collected];
};

/** The i-th part of a tensor along an axis, without the axis. */
function element(x: PlainArray, axis: number, i: number): PlainArray {
  const { type, dims, data } = part(x, axis, i, i + 1);
  return plain(type, dims.toSpliced(axis, 1), data);
}

/** As Scan is from opset 9 on, without batches. */
const Scan: Reference = (node) => {
  const { run, inputs } = node;
  if (!run || node.opset < 9) return undefined;
  const count = int(node, 'num_scan_inputs', 0);
  const sequences = inputs.slice(-count).map((_, i) => tensor(node, inputs.length - count + i));
  const axes = sequences.map(({ dims }, i) => axisOf(ints(node, 'scan_input_axes')?.[i] ?? 0, dims.length));
  const isBackward = (name: string, i: number) => ints(node, name)?.[i] === 1;
  const length = sequences[0]?.dims[axes[0] as number] as number;
  let states = inputs.slice(0, -count) as PlainValue[];
  const scans: PlainArray[][] = Array.from({ length: node.outputs - states.length }, () => []);
  for (let step = 0; step < length; step++) {
    const elements = sequences.map((x, i) =>
      element(x, axes[i] as number, isBackward('scan_input_directions', i) ? length - 1 - step : step),
    );
    const results = run('body', [...states, ...elements]);
    scans.forEach((scan, k) => {
      scan.push(results[states.length + k] as PlainArray);
    });
    states = results.slice(0, states.length);
  }
  const collected = scans.map((scan, k) => {
    const whole = stacked(isBackward('scan_output_directions', k) ? scan.reverse() : scan);
    return whole && withFirstAxisAt(whole, axisOf(ints(node, 'scan_output_axes')?.[k] ?? 0, whole.dims.length));
  });
  return collected.includes(undefined) ? undefined : [...states, ...collected];
};

const withFirstAxisAt = (x: PlainArray, axis: number): PlainArray =>
  transpose(x, Array.from(x.dims.keys()).slice(1).toSpliced(axis, 0, 0));

export const CONTROL_FLOW: References = { If, Loop, Scan };
