import type { NodeProto } from '../../../../../build/onnx.js';
import { SardonyxError } from '../../../../base/errors.js';
import { withFields } from '../../../../model/document/changed.js';
import type { Constant } from '../../graphs.js';
import { MICROSOFT, nodeOf } from '../../nodes.js';
import { eachOf } from '../../progress.js';
import { add } from '../../sheet.js';
import { dimsOf, floatTensor } from '../../tensor-data.js';
import { biasCodes, biasScales, fittedToBias } from '../bias.js';
import { integerTensor } from '../codes.js';
import {
  activationOf,
  constantOf,
  type Desk,
  isChosen,
  type LevelNames,
  numbersIn,
  writeCodes,
  writeLevels,
} from '../desk.js';
import { isLate } from '../integers.js';
import { type Levels, levelsBy } from '../levels.js';
import type { ScaleType } from '../parameters.js';
import { weightLevels } from '../weight-levels.js';
import type { Bias, Mark, Marks, Step } from './marks.js';

/** The scale and zero point of a value. */
interface Known extends LevelNames {
  readonly levels: Levels;
}

/** The nodes and names that have been written. */
interface Draft {
  readonly marks: Marks;
  readonly desk: Desk;
  readonly known: Map<string, Known>;
  /** QuantizeLinear/DequantizeLinear pairs after the producer of a value. */
  readonly pairs: Map<string, readonly NodeProto[]>;
  readonly domain: string;
}

/** Adds QuantizeLinear/DequantizeLinear pairs for all marks. */
export async function writePairs(marks: Marks): Promise<void> {
  const { desk } = marks;
  const draft: Draft = { marks, desk, known: new Map(), pairs: new Map(), domain: domainFor(desk) };
  await writeWeights(draft);
  for (const [name, mark] of marks.values)
    if (mark.as !== 'shared' && !constantOf(desk, name)) writeActivation(draft, name);
  writeShared(draft);
  if (desk.settings.quantizeBias ?? true) for (const bias of marks.biases) await writeBias(draft, bias);
  writeNodes(draft);
}

/** The domain of the operators. onnxruntime's own support types that ONNX's lack in old opsets. */
function domainFor({ opset, settings, floats }: Desk): string {
  const { activationType, weightType, overrides } = settings;
  const types = [activationType, weightType, ...Object.values(overrides).flatMap(({ type }) => type ?? [])];
  const needed = types.some(isLate) ? 21 : [...floats.values()].includes('float16') ? 19 : 0;
  return opset < needed ? MICROSOFT : '';
}

const isConstantMark =
  (desk: Desk) =>
  (entry: readonly [string, Mark]): boolean =>
    constantOf(desk, entry[0]) !== undefined;

async function writeWeights(draft: Draft): Promise<void> {
  const { desk, marks } = draft;
  const weights = [...marks.values].filter(isConstantMark(desk));
  await eachOf(
    'weights',
    weights,
    ([name]) => name,
    desk.settings,
    ([name, mark]) => writeWeight(draft, constantOf(desk, name) as Constant, mark),
  );
}

async function writeWeight(draft: Draft, { tensor }: Constant, mark: Mark): Promise<void> {
  const { desk, known } = draft;
  const { sheet, graph, floats, settings } = desk;
  const values = await numbersIn(desk, tensor);
  const float = floats.get(tensor.name) as ScaleType;
  const axis = mark.as === 'weight' ? mark.axis : undefined;
  const found = weightLevels(desk, tensor, values, { part: mark.as === 'weight' ? 'weight' : 'activation', axis });
  const levels = await fittedToBiases(draft, tensor.name, found, float);
  const names = writeLevels(desk, tensor.name, levels, float);
  known.set(tensor.name, { ...names, levels });
  const output = sheet.fresh(`${tensor.name}_DequantizeLinear_Output`);
  redirect(draft, tensor.name, output);
  if (settings.pairsOnWeights) return add(sheet.first, graph, ...pairOf(draft, tensor.name, tensor.name, output));
  const codes = writeCodes(desk, tensor, levels, values);
  add(sheet.first, graph, dequantizeLinear(draft, codes, tensor.name, output));
}

/** Adjusts the scales of a weight to the biases of all its readers. */
async function fittedToBiases(
  { desk, marks }: Draft,
  weight: string,
  levels: Levels,
  float: ScaleType,
): Promise<Levels> {
  if (desk.settings.quantizeBias === false) return levels;
  let fitted = levels;
  for (const bias of marks.biases) {
    const input = bias.weight === weight && marks.values.has(bias.input) ? activationOf(desk, bias.input) : undefined;
    if (input) fitted = fittedToBias(fitted, input.scale, await numbersOfBias(desk, bias), float);
  }
  return fitted;
}

async function numbersOfBias(desk: Desk, { name, beta }: Bias): Promise<Float32Array> {
  const values = await numbersIn(desk, (constantOf(desk, name) as Constant).tensor);
  return beta === 1 ? values : values.map((x) => x * beta);
}

function redirect({ marks }: Draft, from: string, to: string): void {
  for (const { input } of marks.steps)
    input.splice(0, input.length, ...input.map((name) => (name === from ? to : name)));
}

function writeActivation(draft: Draft, name: string): void {
  const { desk, known } = draft;
  const parameters = activationOf(desk, name);
  if (!parameters) throw unknownRange(name);
  const levels = levelsBy([parameters], parameters.type);
  known.set(name, { ...writeLevels(desk, name, levels, desk.floats.get(name) as ScaleType), levels });
  writePair(draft, name, name);
}

const unknownRange = (name: string) =>
  new SardonyxError(
    'INVALID_ARGUMENT',
    'no range (values that were infinite or empty during calibration have none); calibrate again, add the range to overrides, or exclude the nodes that use the value',
    { value: name },
  );

/** Quantizes values that share parameters after the values that they share with. */
function writeShared(draft: Draft): void {
  const { marks, known } = draft;
  let waiting = [...marks.values].flatMap(([name, mark]) => (mark.as === 'shared' ? [[name, mark.by] as const] : []));
  while (waiting.length > 0) {
    const ready = waiting.filter(([, by]) => known.has(by));
    if (ready.length === 0) return;
    for (const [name, by] of ready) {
      known.set(name, known.get(by) as Known);
      writePair(draft, name, by);
    }
    waiting = waiting.filter((entry) => !ready.includes(entry));
  }
}

/** Adds a pair after a value, or one for each reader. */
function writePair(draft: Draft, name: string, by: string): void {
  const { desk, marks, pairs } = draft;
  const { sheet, outputs, settings } = desk;
  const readers = marks.steps.filter((step) => isChosen(step.node, settings) && step.input.includes(name));
  if (outputs.has(name) && givenBy(marks, name)) {
    const inner = sheet.fresh(`${name}_QuantizeLinear_Input`);
    for (const { output } of marks.steps)
      output.splice(0, output.length, ...output.map((o) => (o === name ? inner : o)));
    pairs.set(inner, pairOf(draft, by, inner, name));
  } else if (settings.dedicatedPairs && readers.length > 1) {
    pairs.set(
      name,
      readers.flatMap((reader) => pairFor(draft, reader, name, by)),
    );
  } else {
    const output = sheet.fresh(`${name}_DequantizeLinear_Output`);
    redirect(draft, name, output);
    pairs.set(name, pairOf(draft, by, name, output));
  }
}

const givenBy = ({ steps }: Marks, name: string): boolean => steps.some(({ output }) => output.includes(name));

function pairFor(draft: Draft, { input }: Step, name: string, by: string): NodeProto[] {
  const output = draft.desk.sheet.fresh(`${name}_DequantizeLinear_Output`);
  input.splice(0, input.length, ...input.map((i) => (i === name ? output : i)));
  return pairOf(draft, by, name, output);
}

/** Makes a QuantizeLinear/DequantizeLinear pair with the parameters of a value. */
function pairOf(draft: Draft, by: string, from: string, to: string): NodeProto[] {
  const { desk, known, domain } = draft;
  const { scale, zero, levels } = known.get(by) as Known;
  const codes = desk.sheet.fresh(`${from.replace(/_QuantizeLinear_Input$/, '')}_QuantizeLinear_Output`);
  const name = desk.sheet.fresh(`${from}_QuantizeLinear`);
  const quantize = nodeOf('QuantizeLinear', [from, scale, zero], [codes], { name, domain, ...axisOf(levels) });
  return [quantize, dequantizeLinear(draft, codes, by, to)];
}

const axisOf = ({ axis }: Levels): { readonly axis?: number } => (axis === undefined ? {} : { axis });

function dequantizeLinear({ desk, known, domain }: Draft, codes: string, by: string, to: string): NodeProto {
  const { scale, zero, levels } = known.get(by) as Known;
  const name = desk.sheet.fresh(`${to.replace(/_DequantizeLinear_Output.*$/, '')}_DequantizeLinear`);
  return nodeOf('DequantizeLinear', [codes, scale, zero], [to], { name, domain, ...axisOf(levels) });
}

/** Quantizes a bias to 32 bits if the scales of the input and weight are known. */
async function writeBias(draft: Draft, bias: Bias): Promise<void> {
  const { desk, known, marks, domain } = draft;
  const { sheet, graph, floats } = desk;
  const [input, weight] = [known.get(bias.input), known.get(bias.weight)];
  if (!input || !weight || marks.values.has(bias.name)) return;
  const { tensor } = constantOf(desk, bias.name) as Constant;
  const float = floats.get(bias.name) as ScaleType;
  const values = await numbersOfBias(desk, bias);
  const scales = biasScales(input.levels.scales[0] as number, weight.levels, float);
  const dims = dimsOf(tensor);
  if (scales.length > 1 && (dims.at(-1) !== scales.length || values.length !== scales.length)) return;
  const named = (suffix: string) => sheet.fresh(`${bias.name}_${suffix}`);
  const [codes, scale, zero] = [named('quantized'), named('quantized_scale'), named('quantized_zero_point')];
  const levels = scales.length > 1 ? [scales.length] : [];
  const output = named('DequantizeLinear_Output');
  add(
    sheet.constants,
    graph,
    integerTensor(codes, 'int32', dims, biasCodes(values, scales)),
    floatTensor(scale, float, levels, scales),
    integerTensor(zero, 'int32', levels, new Int32Array(scales.length)),
  );
  const axis: { readonly axis?: number } = levels.length > 0 ? { axis: dims.length - 1 } : {};
  const name = sheet.fresh(`${bias.name}_DequantizeLinear`);
  add(sheet.first, graph, nodeOf('DequantizeLinear', [codes, scale, zero], [output], { name, domain, ...axis }));
  bias.step.input.splice(2, 1, output);
}

/** Writes nodes with their new names, each followed by its pairs. */
function writeNodes({ desk, marks, pairs }: Draft): void {
  const { sheet, graph } = desk;
  for (const { name } of graph.input) add(sheet.first, graph, ...(pairs.get(name) ?? []));
  for (const step of marks.steps) {
    const { node, input, output, isRemoved } = step;
    const behind = output.flatMap((name) => pairs.get(name) ?? []);
    const same = input.every((name, i) => name === node.input[i]) && output.every((name, i) => name === node.output[i]);
    if (isRemoved) sheet.nodes.set(node, []);
    else if (!same || behind.length > 0) sheet.nodes.set(node, [same ? node : renamed(marks, step), ...behind]);
  }
}

/** Renames inputs and outputs, and removes `beta` if it was folded into the bias. */
function renamed({ biases }: Marks, step: Step): NodeProto {
  const { node, input, output } = step;
  const isFolded = biases.some((bias) => bias.step === step && bias.beta !== 1 && input[2] !== bias.name);
  const attribute = isFolded ? node.attribute.filter(({ name }) => name !== 'beta') : node.attribute;
  return withFields(node, { input, output, attribute });
}
