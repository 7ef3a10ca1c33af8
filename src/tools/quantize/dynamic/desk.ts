import type { GraphProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { type Constant, constantIn, type Scope } from '../graphs.js';
import { nodeOf } from '../nodes.js';
import { add, type Sheet } from '../sheet.js';
import { dimsOf, floatsOf, floatTypeOf, tensorOf } from '../tensor-data.js';
import { type Bytes, bytesOf, type Rounding } from './bytes-of.js';
import type { QuantizeDynamicOptions } from './options.js';

/** The names of integers, and of what they are to be understood by. */
export interface Quantized {
  readonly codes: string;
  readonly scale: string;
  readonly zero: string;
}

/** What is being worked on. */
export interface Desk {
  readonly model: Model;
  readonly options: QuantizeDynamicOptions;
  readonly sheet: Sheet;
  /** Weights by how they were rounded and laid. */
  readonly weights: Map<TensorProto, Map<string, Quantized>>;
  /** Values that are there as integers, too, by graph. */
  readonly values: Map<GraphProto, Map<string, Quantized>>;
}

/** The constant of float32 that a name stands for. */
export function weightIn(scope: Scope, name: string | undefined): Constant | undefined {
  const constant = constantIn(scope, name);
  return constant && floatTypeOf(constant.tensor) === 'float32' ? constant : undefined;
}

export interface Layout extends Rounding {
  /** Whether its last two axes change places. */
  readonly transposed?: boolean;
  /** The dims of scales and zero points; none, one, or one for each slice of the axis, if left out. */
  readonly levels?: readonly number[];
  /** The dims that it is rounded in. */
  readonly dims?: readonly number[];
}

/** A weight as integers, once for all who read it so. */
export async function quantizedWeight(desk: Desk, { tensor, owner }: Constant, layout: Layout): Promise<Quantized> {
  const forms = desk.weights.get(tensor) ?? new Map<string, Quantized>();
  desk.weights.set(tensor, forms);
  const key = JSON.stringify(layout);
  const known = forms.get(key);
  if (known) return known;
  const values = await floatsOf(desk.model, tensor);
  requireFinite(tensor, values);
  const found = stored(desk, { tensor, owner }, layout, bytesOf(values, layout.dims ?? dimsOf(tensor), layout));
  forms.set(key, found);
  return found;
}

function requireFinite({ name }: TensorProto, values: Float32Array): void {
  const bad = values.find((x) => !Number.isFinite(x));
  if (bad === undefined) return;
  throw new SardonyxError('INVALID_MODEL', `has ${bad} among its numbers, which no scale fits; exclude it`, {
    value: name,
  });
}

function stored({ sheet }: Desk, { tensor, owner }: Constant, layout: Layout, bytes: Bytes): Quantized {
  const { type, axis, transposed = false } = layout;
  const levels = layout.levels ?? (axis === undefined ? [] : [bytes.scales.length]);
  const named = (suffix: string) => sheet.fresh(`${tensor.name}_${suffix}`);
  const quantized = { codes: named('quantized'), scale: named('scale'), zero: named('zero_point') };
  const [dims, codes] = transposed ? transposedBytes(bytes.codes, dimsOf(tensor)) : [dimsOf(tensor), bytes.codes];
  add(
    sheet.constants,
    owner,
    tensorOf(quantized.codes, type, dims, codes),
    tensorOf(quantized.scale, 'float32', levels, bytes.scales),
    tensorOf(quantized.zero, type, levels, bytes.zeros),
  );
  return quantized;
}

function transposedBytes<T extends Int8Array | Uint8Array>(codes: T, dims: readonly number[]): readonly [number[], T] {
  const [rows = 0, columns = 0] = dims.slice(-2);
  const result = codes.slice() as T;
  for (let i = 0; i < codes.length; i++) {
    const [matrix, within] = [Math.floor(i / (rows * columns)), i % (rows * columns)];
    const [row, column] = [Math.floor(within / columns), within % columns];
    result[matrix * rows * columns + column * rows + row] = codes[i] as number;
  }
  return [[...dims.slice(0, -2), columns, rows], result];
}

export function valuesIn({ values }: Desk, { graph }: Scope): Map<string, Quantized> {
  const known = values.get(graph) ?? new Map<string, Quantized>();
  values.set(graph, known);
  return known;
}

/** An activation as integers: as it is there already, or by a DynamicQuantizeLinear among `nodes`. */
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

/** The value that integers stand for, which is dropped where nobody reads it. */
export function dequantized(desk: Desk, scope: Scope, name: string, { codes, scale, zero }: Quantized): NodeProto {
  valuesIn(desk, scope).set(name, { codes, scale, zero });
  const made = desk.sheet.fresh(`${name}_DequantizeLinear`);
  return nodeOf('DequantizeLinear', [codes, scale, zero], [name], { name: made });
}
