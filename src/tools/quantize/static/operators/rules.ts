import type { NodeProto } from '../../../../../build/onnx.js';
import { withFields } from '../../../../model/document/changed.js';
import { attributed, isOnnx, MICROSOFT, stringAt } from '../../nodes.js';
import { isBoundBy } from '../bounded.js';
import { constantOf } from '../desk.js';
import type { Parameters } from '../parameters.js';
import { type Bench, canHold, give, type Held, heldBy, hold, levelsFor, three } from './held.js';
import { pad } from './pad.js';
import { conv, gemm, matMul } from './products.js';
import type { Rule } from './rule.js';

/** Replaces a node by onnxruntime's QLinear operator. */
const asInteger = (bench: Bench, node: NodeProto, inputs: readonly string[], like: Omit<Held, 'codes'>): NodeProto =>
  withFields(node, {
    opType: `QLinear${node.opType}`,
    domain: MICROSOFT,
    input: [...inputs],
    output: [give(bench, node.output[0] as string, like)],
  });

/**
 * Arranges the operands of an integer operator: three names for each input, and the scale and zero point of the output.
 */
type Order = (inputs: readonly string[], output: readonly string[], node: NodeProto) => readonly string[];

const outputLast: Order = (inputs, output) => [...inputs, ...output];
const outputFirst: Order = (inputs, output) => [...output, ...inputs];

/** Quantizes the inputs from `from` to `to`, and the output. */
const computed =
  (from: number, to?: number, order = outputLast, given?: (bench: Bench) => Parameters): Rule =>
  async (bench, node) => {
    const [names, nodes] = [node.input.slice(from, to), [] as NodeProto[]];
    const canBe = names.every((name) => canHold(bench, name));
    const output = canBe && levelsFor(bench, node.output[0] as string, given?.(bench));
    if (!output) return undefined;
    const inputs: string[] = [];
    for (const name of names) inputs.push(...three(await hold(bench, name, nodes)));
    return [...nodes, asInteger(bench, node, order(inputs, [output.scale, output.zero], node), output)];
  };

/** Moves quantized values if the input is quantized. */
const moved: Rule = async (bench, node) => {
  const [name = '', ...others] = node.input;
  const nodes: NodeProto[] = [];
  const isForced = bench.desk.settings.force && canHold(bench, name);
  const input = isForced ? await hold(bench, name, nodes) : heldBy(bench, name);
  if (!input) return undefined;
  const [output = '', ...rest] = node.output;
  return [
    ...nodes,
    withFields(node, { input: [input.codes, ...others], output: [give(bench, output, input), ...rest] }),
  ];
};

const since =
  (opset: number, rule: Rule): Rule =>
  (bench, node) =>
    bench.desk.opset >= opset ? rule(bench, node) : undefined;

/** onnxruntime resizes integers in the nearest and linear modes. */
const resized: Rule = (bench, node) => (stringAt(node, 'mode', 'nearest') === 'cubic' ? undefined : moved(bench, node));

/** Removes a Relu or Clip whose bounds the quantized input already has. */
const bounded: Rule = (bench, node) => {
  const { settings, ranges } = bench.desk;
  const [input, range] = [heldBy(bench, node.input[0]), ranges.get(node.output[0] as string)];
  if (!input || !range || settings.symmetricActivations || !isBoundBy(node, range, levelOf(input))) return undefined;
  bench.held.set(node.output[0] as string, input);
  return [];
};

/** The parameters of a quantized activation. */
const levelOf = ({ levels: { type, scales, zeroPoints } }: Held): Parameters => ({
  type,
  scale: scales[0] as number,
  zeroPoint: zeroPoints[0] as number,
});

const split: Rule = async (bench, node) => {
  const [name = '', ...others] = node.input;
  if (!canHold(bench, name)) return undefined;
  const nodes: NodeProto[] = [];
  const input = await hold(bench, name, nodes);
  const output = node.output.map((part) => give(bench, part, input));
  return [...nodes, withFields(node, { input: [input.codes, ...others], output })];
};

const lookedUp: Rule = async (bench, node) => {
  if (!constantOf(bench.desk, node.input[0])) return undefined;
  await hold(bench, node.input[0] as string, []);
  return moved(bench, node);
};

const branches = computed(1, 3, (inputs, output, node) => [node.input[0] as string, ...inputs, ...output]);

const where: Rule = (bench, node) => (bench.desk.settings.force ? branches(bench, node) : undefined);

const globalAveragePool: Rule = (bench, node) => {
  const input = heldBy(bench, node.input[0]);
  if (!input) return undefined;
  const output = levelsFor(bench, node.output[0] as string) ?? input;
  return [
    attributed(asInteger(bench, node, [...three(input), output.scale, output.zero], output), { channels_last: 0 }),
  ];
};

/** Scale 1/256 for values from 0. */
const FRACTIONS = ({ desk }: Bench): Parameters => {
  const type = desk.settings.activationType;
  return { type, scale: 1 / 256, zeroPoint: type === 'uint8' ? 0 : -128 };
};

const fractions = computed(0, 1, outputLast, FRACTIONS);

const softmax: Rule = async (bench, node) => {
  const nodes = await fractions(bench, node);
  return nodes?.map((made) => (isOnnx(made) ? made : attributed(made, { opset: bench.desk.opset })));
};

/** Reads quantized values, which have the same order. */
const argMax: Rule = (bench, node) => {
  const input = heldBy(bench, node.input[0]);
  return input && [withFields(node, { input: [input.codes, ...node.input.slice(1)] })];
};

/** Rules by operator. Others stay unchanged. */
export const OPERATORS: Readonly<Record<string, Rule>> = {
  Conv: conv,
  Gemm: gemm,
  MatMul: matMul,
  Add: computed(0, 2),
  Mul: computed(0, 2),
  LeakyRelu: computed(0, 1),
  Sigmoid: computed(0, 1),
  AveragePool: computed(0, 1),
  Softmax: softmax,
  GlobalAveragePool: globalAveragePool,
  Concat: computed(0, undefined, outputFirst),
  Where: where,
  Relu: bounded,
  Clip: bounded,
  Reshape: moved,
  Transpose: moved,
  Squeeze: moved,
  Unsqueeze: moved,
  Flatten: moved,
  MaxPool: since(12, moved),
  Resize: since(11, resized),
  Pad: since(11, pad),
  Split: split,
  Gather: lookedUp,
  ArgMax: argMax,
};
