import type { NodeProto } from '../../../../../build/onnx.js';
import { withFields } from '../../../../model/document/changed.js';
import type { Constant } from '../../graphs.js';
import { floatAt, intAt, MICROSOFT } from '../../nodes.js';
import { add } from '../../sheet.js';
import { dimsOf } from '../../tensor-data.js';
import { biasCodes, biasScales, fittedToBias } from '../bias.js';
import { integerTensor } from '../codes.js';
import { constantOf, numbersIn } from '../desk.js';
import type { IntegerType } from '../integers.js';
import { type Bench, canHold, give, type Held, hold, holdConstant, levelsFor, three } from './held.js';
import type { Rule } from './rule.js';

/** The bias of a product, multiplied by a factor. */
interface Added {
  readonly name: string;
  readonly values: Float32Array;
  readonly dims: readonly number[];
}

/** The constant bias, possibly behind an Identity, which exporters add. */
function biasIn({ desk }: Bench, name: string): Constant | undefined {
  const producer = desk.scope.producers.get(name);
  return constantOf(desk, producer?.opType === 'Identity' ? producer.input[0] : name);
}

async function addedBy({ desk }: Bench, name: string, { tensor }: Constant, factor: number): Promise<Added> {
  const values = await numbersIn(desk, tensor);
  return { name, values: factor === 1 ? values : values.map((x) => x * factor), dims: dimsOf(tensor) };
}

interface Product {
  /** The axis of channels in a constant weight. */
  readonly channels: number;
  /** The factor of the bias relative to that of the product. */
  readonly factor: number;
  /** The weight type, if not all types are supported. */
  readonly type?: IntegerType | undefined;
}

interface Factors {
  readonly nodes: readonly NodeProto[];
  readonly input: Held;
  readonly weight: Held;
  readonly bias: string;
}

/** Quantizes an input, a weight, and the bias in the scale of their products; undefined if one cannot be quantized. */
async function factorsOf(
  bench: Bench,
  node: NodeProto,
  { channels, factor, type }: Product,
): Promise<Factors | undefined> {
  const { desk } = bench;
  const [name = '', weightName = '', biasName = ''] = node.input;
  const bias = biasName ? biasIn(bench, biasName) : undefined;
  const isWhole = canHold(bench, name) && canHold(bench, weightName) && (!biasName || bias);
  if (!isWhole) return undefined;
  const nodes: NodeProto[] = [];
  const input = await hold(bench, name, nodes);
  const added = bias && (await addedBy(bench, biasName, bias, factor));
  const scale = input.levels.scales[0] as number;
  const weight = constantOf(desk, weightName)
    ? await holdConstant(
        bench,
        weightName,
        { part: 'weight', axis: axisFor(bench, weightName, channels), type },
        (levels) => (added ? fittedToBias(levels, scale, added.values, 'float32') : levels),
      )
    : await hold(bench, weightName, nodes);
  return { nodes, input, weight, bias: added ? writeBias(bench, added, scale, weight) : '' };
}

function axisFor({ desk }: Bench, name: string, channels: number): number | undefined {
  const { perChannel, overrides } = desk.settings;
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  const rank = constantOf(desk, name)?.tensor.dims.length ?? 0;
  const axis = own ? own.axis : perChannel ? channels : undefined;
  if (axis === undefined || rank < 2) return undefined;
  // onnxruntime's QLinearMatMul supports per-column scales only for matrices.
  if (channels < 0 && rank !== 2) return undefined;
  return axis < 0 ? axis + rank : axis;
}

function writeBias({ desk }: Bench, { name, values, dims }: Added, inputScale: number, weight: Held): string {
  const { sheet, graph } = desk;
  const codes = sheet.fresh(`${name}_quantized`);
  const scales = biasScales(inputScale, weight.levels, 'float32');
  const wide = scales.length > 1 && values.length === 1 ? scales.map(() => values[0] as number) : values;
  const shape = wide === values ? dims : [scales.length];
  add(sheet.constants, graph, integerTensor(codes, 'int32', shape, biasCodes(wide, scales)));
  return codes;
}

/** With per-channel scales, QLinearConv supports only int8 weights. */
export const conv: Rule = async (bench, node) => {
  const output = levelsFor(bench, node.output[0] as string);
  const type = bench.desk.settings.perChannel ? 'int8' : undefined;
  const found = output && (await factorsOf(bench, node, { channels: 0, factor: 1, type }));
  if (!found) return undefined;
  const { nodes, input, weight, bias } = found;
  const inputs = [...three(input), ...three(weight), output.scale, output.zero, ...(bias ? [bias] : [])];
  const codes = give(bench, node.output[0] as string, output);
  return [...nodes, withFields(node, { opType: 'QLinearConv', input: inputs, output: [codes] })];
};

export const matMul: Rule = async (bench, node) => {
  const output = levelsFor(bench, node.output[0] as string);
  const found = output && (await factorsOf(bench, node, { channels: -1, factor: 1 }));
  if (!found) return undefined;
  const { nodes, input, weight } = found;
  const inputs = [...three(input), ...three(weight), output.scale, output.zero];
  const codes = give(bench, node.output[0] as string, output);
  return [...nodes, withFields(node, { opType: 'QLinearMatMul', input: inputs, output: [codes] })];
};

/** Replaces Gemm by onnxruntime's QGemm, whose bias has the scale of products including alpha. */
export const gemm: Rule = async (bench, node) => {
  const channels = intAt(node, 'transB', 0) > 0 ? 0 : 1;
  const factor = floatAt(node, 'beta', 1) / floatAt(node, 'alpha', 1);
  const output = levelsFor(bench, node.output[0] as string);
  const found = output && (await factorsOf(bench, node, { channels, factor }));
  if (!found) return undefined;
  const { nodes, input, weight, bias } = found;
  const attribute = node.attribute.filter(({ name }) => name !== 'beta');
  const inputs = [...three(input), ...three(weight), bias, output.scale, output.zero];
  const codes = give(bench, node.output[0] as string, output);
  return [
    ...nodes,
    withFields(node, { opType: 'QGemm', domain: MICROSOFT, attribute, input: inputs, output: [codes] }),
  ];
};
