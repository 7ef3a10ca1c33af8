import type { NodeProto, TensorProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { withFields } from '../../../model/document/changed.js';
import { nodeOf } from '../nodes.js';
import { add, type Sheet } from '../sheet.js';
import { type FloatType, floatTensor, floatTypeOf, tensorOf } from '../tensor-data.js';
import { type Codes, packed } from './blocks.js';
import { type Layer, sizeOf } from './layers.js';
import type { Settings } from './options.js';

/**
 * Writes a layer in ONNX's own format: integers with the dims of the weight, followed by a blocked DequantizeLinear.
 */
export function asBlocked(layer: Layer, codes: Codes, settings: Settings, sheet: Sheet): void {
  const { weight, bits, owner, byRows } = layer;
  const named = (suffix: string) => sheet.fresh(`${weight.name}_${suffix}`);
  const tensors = tensorsOf(layer, codes, settings, named);
  const values = named('dequantized');
  const attributes = { name: named(`DQ${bits}`), axis: byRows ? 1 : 0, block_size: settings.block };
  const names = tensors.map(({ name }) => name);
  add(sheet.constants, owner, ...tensors);
  add(sheet.first, owner, nodeOf('DequantizeLinear', names, [values], attributes));
  for (const { reader } of layer.sites) sheet.nodes.set(reader, [reading(reader, weight.name, values)]);
}

const reading = (node: NodeProto, from: string, to: string): NodeProto =>
  withFields(node, { input: node.input.map((name) => (name === from ? to : name)) });

/**
 * Converts columns of the result to the layout of the weight. Each column has `width` elements; the first `kept` are
 * used.
 */
function laidOut<T extends Uint8Array | Float32Array>(columns: T, n: number, kept: number, byRows: boolean): T {
  const width = columns.length / n;
  if (byRows && width === kept) return columns;
  const [byColumn, byStep] = byRows ? [kept, 1] : [1, n];
  const values = new (columns.constructor as new (length: number) => T)(n * kept);
  for (let column = 0; column < n; column++)
    for (let i = 0; i < kept; i++) values[column * byColumn + i * byStep] = columns[column * width + i] as number;
  return values;
}

function tensorsOf(layer: Layer, codes: Codes, _settings: Settings, named: (suffix: string) => string): TensorProto[] {
  const { weight, bits, byRows } = layer;
  const { n, k } = sizeOf(layer);
  const { scales, zeros } = codes;
  if (zeros instanceof Float32Array)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      'hqq has fractional zero points, which DequantizeLinear does not support; use the format MatMulNBits or another method',
    );
  const blocks = scales.length / n;
  const type = zeros ? (`uint${bits}` as const) : (`int${bits}` as const);
  const dims = (count: number) => (byRows ? [n, count] : [count, n]);
  const integers = (name: string, values: Uint8Array, count: number) =>
    tensorOf(name, type, dims(count), packed(laidOut(values, n, count, byRows), bits, 1));
  const signed = zeros ? codes.codes : codes.codes.map((code) => (code - 2 ** (bits - 1)) & (2 ** bits - 1));
  return [
    integers(named(`Q${bits}`), signed, k),
    floatTensor(named('scales'), floatTypeOf(weight) as FloatType, dims(blocks), laidOut(scales, n, blocks, byRows)),
    ...(zeros ? [integers(named('zero_points'), zeros, blocks)] : []),
  ];
}
