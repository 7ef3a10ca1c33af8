import type { GraphProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import type { Take } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { type Constant, constantIn, type Scope } from '../graphs.js';
import { nodeOf } from '../nodes.js';
import { requireFinite } from '../require-finite.js';
import { add, type Sheet } from '../sheet.js';
import { type CodeStore, type Form, integerTensor } from '../static/codes.js';
import { blank, type Codes, type Levels, quantized as rounded } from '../static/levels.js';
import { dimsOf, floatsOf, floatTypeOf, tensorOf } from '../tensor-data.js';
import { levelsFor, type Rounding } from './levels-for.js';
import type { QuantizeDynamicOptions } from './options.js';

/** The names of a quantized tensor, its scale and its zero point. */
export interface Quantized {
  readonly codes: string;
  readonly scale: string;
  readonly zero: string;
}

/** State of the quantization. */
export interface Desk {
  readonly model: Model;
  readonly options: QuantizeDynamicOptions;
  readonly sheet: Sheet;
  readonly codes: CodeStore;
  /** The buffer for weights while they are quantized. */
  readonly room: Take;
  /** Quantized weights by tensor and layout. */
  readonly weights: Map<TensorProto, Map<string, Quantized>>;
  /** Values that are also available quantized, by graph. */
  readonly values: Map<GraphProto, Map<string, Quantized>>;
}

/** The float32 constant with a name. */
export function weightIn(scope: Scope, name: string | undefined): Constant | undefined {
  const constant = constantIn(scope, name);
  return constant && floatTypeOf(constant.tensor) === 'float32' ? constant : undefined;
}

export interface Layout extends Rounding {
  /** Whether to swap the last two axes. */
  readonly transposed?: boolean;
  /** The dims of scales and zero points. Default: a scalar, or one for each slice of the axis. */
  readonly levels?: readonly number[];
  /** The dims used for quantization. */
  readonly dims?: readonly number[];
}

/** Quantizes a weight, once for all nodes that use the same layout. */
export async function quantizedWeight(desk: Desk, { tensor, owner }: Constant, layout: Layout): Promise<Quantized> {
  const forms = desk.weights.get(tensor) ?? new Map<string, Quantized>();
  desk.weights.set(tensor, forms);
  const key = JSON.stringify(layout);
  const known = forms.get(key);
  if (known) return known;
  const values = await floatsOf(desk.model, tensor, desk.room);
  requireFinite(tensor.name, values);
  const found = stored(desk, { tensor, owner }, layout, values);
  forms.set(key, found);
  return found;
}

function stored({ sheet, codes }: Desk, { tensor, owner }: Constant, layout: Layout, values: Float32Array): Quantized {
  const levels = levelsFor(values, layout.dims ?? dimsOf(tensor), layout);
  const { type, scales, zeroPoints } = levels;
  const dims = layout.levels ?? (layout.axis === undefined ? [] : [scales.length]);
  const named = (suffix: string) => sheet.fresh(`${tensor.name}_${suffix}`);
  const quantized = { codes: named('quantized'), scale: named('scale'), zero: named('zero_point') };
  add(
    sheet.constants,
    owner,
    codes.made(quantized.codes, tensor, formOf(dimsOf(tensor), layout, levels), values),
    tensorOf(quantized.scale, 'float32', dims, scales),
    integerTensor(quantized.zero, type, dims, zeroPoints),
  );
  return quantized;
}

function formOf(stored: readonly number[], layout: Layout, levels: Levels): Form {
  const { type } = levels;
  const codes = (values: Float32Array, take?: Take) => rounded(values, layout.dims ?? stored, levels, take);
  if (!layout.transposed) return { type, dims: stored, codes };
  const [rows = 0, columns = 0] = stored.slice(-2);
  const dims = [...stored.slice(0, -2), columns, rows];
  return { type, dims, codes: (values, take) => transposed(type, codes(values, take), rows, columns, take) };
}

/** Transposes each matrix of a batch. */
function transposed(type: Levels['type'], codes: Codes, rows: number, columns: number, take?: Take): Codes {
  const result = blank(type, codes.length, take);
  for (let begin = 0; begin < codes.length; begin += rows * columns)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        result[begin + column * rows + row] = codes[begin + row * columns + column] as number;
  return result;
}

export function valuesIn({ values }: Desk, { graph }: Scope): Map<string, Quantized> {
  const known = values.get(graph) ?? new Map<string, Quantized>();
  values.set(graph, known);
  return known;
}

/** Returns an activation in quantized form, if necessary by a DynamicQuantizeLinear that is added to `nodes`. */
export function quantizedValue(desk: Desk, scope: Scope, name: string, nodes: NodeProto[]): Quantized {
  const values = valuesIn(desk, scope);
  const known = values.get(name);
  if (known) return known;
  const { fresh } = desk.sheet;
  const made = { codes: fresh(`${name}_quantized`), scale: fresh(`${name}_scale`), zero: fresh(`${name}_zero_point`) };
  nodes.push(nodeOf('DynamicQuantizeLinear', [name], Object.values(made), { name: fresh(`${name}_QuantizeLinear`) }));
  values.set(name, made);
  return made;
}

/** Dequantizes a value. The node is removed later if nothing reads its output. */
export function dequantized(desk: Desk, scope: Scope, name: string, { codes, scale, zero }: Quantized): NodeProto {
  valuesIn(desk, scope).set(name, { codes, scale, zero });
  const made = desk.sheet.fresh(`${name}_DequantizeLinear`);
  return nodeOf('DequantizeLinear', [codes, scale, zero], [name], { name: made });
}
