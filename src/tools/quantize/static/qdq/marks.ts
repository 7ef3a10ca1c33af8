import type { NodeProto } from '../../../../../build/onnx.js';
import { graphsOf, readIn } from '../../graphs.js';
import { isBoundBy } from '../bounded.js';
import { activationOf, constantOf, type Desk, isChosen } from '../desk.js';

/** How to quantize a value. */
export type Mark =
  | { readonly as: 'activation' }
  | { readonly as: 'weight'; readonly axis?: number | undefined }
  /** With the scale and zero point of another value. */
  | { readonly as: 'shared'; readonly by: string };

/** The bias of a node, whose scale is that of its products. */
export interface Bias {
  readonly step: Step;
  readonly name: string;
  readonly input: string;
  readonly weight: string;
  /** The node's factor for the bias, which is folded into the constant. */
  readonly beta: number;
}

/** A node and its new inputs and outputs. */
export interface Step {
  readonly node: NodeProto;
  readonly input: string[];
  readonly output: string[];
  isRemoved: boolean;
}

/** The decisions of the rules. */
export interface Marks {
  readonly desk: Desk;
  readonly steps: readonly Step[];
  readonly values: Map<string, Mark>;
  readonly biases: Bias[];
  /** Values that are already quantized in the model. */
  readonly settled: ReadonlySet<string>;
  /** Values that are also read as floats: by subgraphs and, with dedicated pairs, by nodes that are not quantized. */
  readonly bare: ReadonlySet<string>;
}

export function noMarks(desk: Desk): Marks {
  const { node } = desk.graph;
  const settled = node.filter(({ opType }) => opType === 'DequantizeLinear').flatMap(({ output }) => output);
  return {
    desk,
    steps: node.map((n) => ({ node: n, input: [...n.input], output: [...n.output], isRemoved: false })),
    values: new Map(),
    biases: [],
    settled: new Set(settled),
    bare: new Set(node.flatMap((n) => bareFor(desk, n))),
  };
}

function bareFor({ settings }: Desk, node: NodeProto): string[] {
  const captured = graphsOf(node).flatMap((graph) => [...readIn(graph)]);
  return settings.dedicatedPairs && !isChosen(node, settings) ? [...captured, ...node.input] : captured;
}

export const isMarked = ({ values, biases }: Marks, name: string | undefined): boolean =>
  name !== undefined && (values.has(name) || biases.some((bias) => bias.name === name));

/** Marks an activation unless it is already marked. */
export function markActivation({ desk, values, settled }: Marks, name: string | undefined): void {
  if (name && desk.floats.has(name) && !settled.has(name) && !values.has(name)) values.set(name, { as: 'activation' });
}

/** Marks outputs unless `floatOutputs` includes the operator. */
export function markOutputs(marks: Marks, { node }: Step, outputs: readonly (string | undefined)[]): void {
  if (!hasFloatOutputs(marks, node)) for (const name of outputs) markActivation(marks, name);
}

export const hasFloatOutputs = ({ desk }: Marks, { opType }: NodeProto): boolean =>
  desk.settings.floatOutputs?.includes(opType) ?? false;

/** Marks an output to use the scale and zero point of an input. */
export function markShared(marks: Marks, { node }: Step, name: string | undefined, by: string): void {
  if (name && marks.desk.floats.has(name) && !hasFloatOutputs(marks, node))
    marks.values.set(name, { as: 'shared', by });
}

/** Marks a weight, per channel if requested and if it is constant. */
export function markWeight({ desk, values, settled }: Marks, name: string, channels: number | undefined): void {
  if (!desk.floats.has(name) || settled.has(name)) return;
  const axis = channelAxis(desk, name, channels);
  if (axis !== undefined || !values.has(name)) values.set(name, { as: 'weight', axis });
}

function channelAxis(desk: Desk, name: string, channels: number | undefined): number | undefined {
  const { overrides, perChannel } = desk.settings;
  const rank = constantOf(desk, name)?.tensor.dims.length;
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  const axis = own ? own.axis : perChannel ? channels : undefined;
  if (rank === undefined || axis === undefined) return undefined;
  const whole = axis < 0 ? axis + rank : axis;
  return whole >= 0 && whole < rank ? whole : undefined;
}

export function markBias(marks: Marks, bias: Bias): void {
  const { desk, biases } = marks;
  if (!constantOf(desk, bias.name)) return;
  if (Object.hasOwn(desk.settings.overrides, bias.name)) markWeight(marks, bias.name, 0);
  else biases.push(bias);
}

/**
 * Removes a Relu or Clip that a quantized range makes redundant: its producer outputs the result directly. Returns
 * whether this is possible.
 */
export function replaceUpstream(marks: Marks, step: Step): boolean {
  const { desk, steps, values, bare } = marks;
  const [from = '', to = ''] = [step.input[0], step.output[0]];
  const isInput = desk.graph.input.some(({ name }) => name === from);
  const readers = steps.flatMap(({ input }) => input.filter((name) => name === from)).length;
  if (readers !== 1 || isInput || desk.outputs.has(from)) return false;
  const [levels, range] = [activationOf(desk, to), desk.ranges.get(to)];
  if (!levels || (range && !isBoundBy(step.node, range, levels))) return false;
  if (bare.has(from) || bare.has(to)) return false;
  for (const { output } of steps) output.splice(0, output.length, ...output.map((name) => (name === from ? to : name)));
  values.delete(from);
  step.isRemoved = true;
  return true;
}
