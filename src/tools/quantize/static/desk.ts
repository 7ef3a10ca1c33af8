import type { GraphProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import type { Model } from '../../../model/document/model.js';
import { type FloatValues, floatValuesOf } from '../calibrate/float-values.js';
import type { Ranges } from '../calibrate/ranges.js';
import { type Constant, constantIn, outermostScope, type Scope } from '../graphs.js';
import { isWanted } from '../names.js';
import { isOnnx, opsetOf } from '../nodes.js';
import { requireFinite } from '../require-finite.js';
import { add, emptySheet, type Sheet } from '../sheet.js';
import { dimsOf, floatsOf, floatTensor } from '../tensor-data.js';
import { adjustedRanges } from './adjusted-ranges.js';
import { type CodeStore, codeStore, type Form, integerTensor } from './codes.js';
import { type Levels, quantized } from './levels.js';
import type { StaticSettings } from './options.js';
import { type Parameters, parametersOf, type Range, type ScaleType } from './parameters.js';
import { QUANTIZED_TYPES } from './types.js';

/** State of the quantization of the main graph. */
export interface Desk {
  readonly model: Model;
  readonly graph: GraphProto;
  readonly scope: Scope;
  readonly opset: number;
  readonly settings: StaticSettings;
  readonly floats: FloatValues;
  readonly ranges: ReadonlyMap<string, Range>;
  readonly sheet: Sheet;
  readonly codes: CodeStore;
  /** The names of graph outputs. */
  readonly outputs: ReadonlySet<string>;
}

export async function deskOf(model: Model, ranges: Ranges, settings: StaticSettings): Promise<Desk> {
  const { proto } = model;
  const graph = proto.graph as GraphProto;
  const outline = { graph, isWanted: (node: NodeProto) => isChosen(node, settings) };
  return {
    model,
    graph,
    scope: outermostScope(graph, proto),
    opset: opsetOf(proto),
    settings,
    floats: await floatValuesOf(model),
    ranges: adjustedRanges(outline, ranges),
    sheet: emptySheet(graph),
    codes: codeStore(model, settings.hold),
    outputs: new Set(graph.output.map(({ name }) => name)),
  };
}

const ALWAYS_LEFT = ['QuantizeLinear', 'DequantizeLinear'];

/** Whether a node is to be quantized. */
export function isChosen(node: NodeProto, settings: StaticSettings): boolean {
  const { types = QUANTIZED_TYPES } = settings;
  if (!types.includes(node.opType) || ALWAYS_LEFT.includes(node.opType)) return false;
  return (isOnnx(node) || settings.types !== undefined) && isWanted(node, node.input[1] ?? '', settings);
}

/** The floating-point constant with a name, which callers cannot replace. */
export function constantOf({ scope, floats }: Desk, name: string | undefined): Constant | undefined {
  return name && floats.has(name) ? constantIn(scope, name) : undefined;
}

/** The values of a constant. Throws if they are not finite. */
export async function numbersIn({ model }: Desk, tensor: TensorProto): Promise<Float32Array> {
  const values = await floatsOf(model, tensor);
  requireFinite(tensor.name, values);
  return values;
}

/** The scale and zero point of an activation; undefined without a known range. */
export function activationOf({ settings, ranges, floats }: Desk, name: string): Parameters | undefined {
  const { activationType, symmetricActivations, minimumRange, overrides } = settings;
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  const type = own?.type ?? activationType;
  if (own?.scale !== undefined) return { type, scale: single(own.scale), zeroPoint: single(own.zeroPoint) };
  const range = own?.range ?? ranges.get(name);
  const float = floats.get(name) as ScaleType;
  return range && parametersOf(range, { type, symmetric: own?.symmetric ?? symmetricActivations, minimumRange, float });
}

export const single = (x: number | readonly number[] | undefined): number => [x ?? 0].flat()[0] as number;

/** The names of the tensors with scales and zero points. */
export interface LevelNames {
  readonly scale: string;
  readonly zero: string;
}

/** Adds scales and zero points as constants: scalars, or vectors for an axis. */
export function writeLevels({ sheet, graph }: Desk, name: string, levels: Levels, float: ScaleType): LevelNames {
  const { type, axis, scales, zeroPoints } = levels;
  const [scale, zero] = [sheet.fresh(`${name}_scale`), sheet.fresh(`${name}_zero_point`)];
  const dims = axis === undefined ? [] : [scales.length];
  add(sheet.constants, graph, floatTensor(scale, float, dims, scales), integerTensor(zero, type, dims, zeroPoints));
  return { scale, zero };
}

/** Adds the codes of a constant, and returns their name. */
export function writeCodes(
  { sheet, graph, codes }: Desk,
  tensor: TensorProto,
  levels: Levels,
  values: Float32Array,
): string {
  const name = sheet.fresh(`${tensor.name}_quantized`);
  const dims = dimsOf(tensor);
  const form: Form = { type: levels.type, dims, codes: (numbers, take) => quantized(numbers, dims, levels, take) };
  add(sheet.constants, graph, codes.made(name, tensor, form, values));
  return name;
}
