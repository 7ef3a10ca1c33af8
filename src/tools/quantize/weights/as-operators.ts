import type { NodeProto, TensorProto } from '../../../../build/onnx.js';
import { int64Tensor } from '../int64-tensor.js';
import { MICROSOFT, nodeOf } from '../nodes.js';
import { add, type Sheet } from '../sheet.js';
import { type FloatType, floatTensor, floatTypeOf, tensorOf } from '../tensor-data.js';
import { type Codes, packed } from './blocks.js';
import { type Layer, sizeOf } from './layers.js';
import type { Bits, Settings } from './options.js';
import type { Site } from './sites.js';

/** The stored parts of a layer, by name. */
interface Stored {
  readonly codes: string;
  readonly scales: string;
  readonly zeros: string;
}

/**
 * Writes products as `MatMulNBits`, and tables as `GatherBlockQuantized`. If a weight has both roles, they share its
 * data if possible.
 */
export function asOperators(layer: Layer, codes: Codes, settings: Settings, sheet: Sheet): void {
  const products = layer.sites.filter(({ role }) => role === 'product');
  const tables = layer.sites.filter(({ role }) => role === 'table');
  const { k } = sizeOf(layer);
  const isShared = products.length > 0 && k % settings.block === 0;
  if (products.length > 0) {
    const own = isShared || tables.length === 0 ? codes : copyOf(codes);
    const stored = store(layer, own, settings, sheet, blockwise(layer, own, settings));
    for (const site of products) sheet.nodes.set(site.node, [product(site, layer, stored, settings)]);
    if (isShared && tables.length > 0)
      lookUp(tables, layer, { ...stored, codes: asRows(layer, stored, sheet) }, settings, sheet);
  }
  if (!isShared && tables.length > 0)
    lookUp(tables, layer, store(layer, codes, settings, sheet, rowwise(layer, codes, settings)), settings, sheet);
}

const copyOf = ({ codes, scales, zeros }: Codes): Codes => ({ codes: codes.slice(), scales, zeros: zeros?.slice() });

interface Packed {
  readonly dims: readonly number[];
  readonly bytes: Uint8Array;
}

const countOf = (layer: Layer, block: number): number => Math.ceil(sizeOf(layer).k / block);

function blockwise(layer: Layer, { codes }: Codes, { block }: Settings): Packed {
  const { n } = sizeOf(layer);
  const { bits } = layer;
  return { dims: [n, countOf(layer, block), (block * bits) / 8], bytes: packed(codes, bits, n) };
}

/** Packs rows without the padding of the last block. */
function rowwise(layer: Layer, { codes }: Codes, { block }: Settings): Packed {
  const { n, k } = sizeOf(layer);
  const room = countOf(layer, block) * block;
  const own = new Uint8Array(n * k);
  for (let row = 0; row < n; row++) own.set(codes.subarray(row * room, row * room + k), row * k);
  return { dims: [n, (k * layer.bits) / 8], bytes: packed(own, layer.bits, n) };
}

function store(
  layer: Layer,
  { scales, zeros }: Codes,
  { block }: Settings,
  sheet: Sheet,
  { dims, bytes }: Packed,
): Stored {
  const { weight, bits, owner } = layer;
  const { n } = sizeOf(layer);
  const type = floatTypeOf(weight) as FloatType;
  const counts = [n, countOf(layer, block)];
  const named = (suffix: string) => sheet.fresh(`${weight.name}_${suffix}`);
  const stored = { codes: named(`Q${bits}`), scales: named('scales'), zeros: zeros ? named('zero_points') : '' };
  const tensors = [tensorOf(stored.codes, 'uint8', dims, bytes), floatTensor(stored.scales, type, counts, scales)];
  if (zeros) tensors.push(zerosIn(stored.zeros, zeros, n, counts, bits, type));
  add(sheet.constants, owner, ...tensors);
  return stored;
}

function zerosIn(
  name: string,
  zeros: Uint8Array | Float32Array,
  n: number,
  counts: readonly number[],
  bits: Bits,
  type: FloatType,
): TensorProto {
  if (zeros instanceof Float32Array) return floatTensor(name, type, counts, zeros);
  const bytes = packed(zeros, bits, n);
  return tensorOf(name, 'uint8', [n, bytes.length / n], bytes);
}

function product({ node, bias }: Site, layer: Layer, stored: Stored, { block, accuracyLevel }: Settings): NodeProto {
  const { k, n } = sizeOf(layer);
  const parameters = [node.input[0] as string, stored.codes, stored.scales];
  const optional = bias ? [stored.zeros, '', bias.tensor.name] : [stored.zeros].filter(Boolean);
  return nodeOf('MatMulNBits', [...parameters, ...optional], node.output, {
    domain: MICROSOFT,
    name: node.name,
    K: k,
    N: n,
    bits: layer.bits,
    block_size: block,
    ...(accuracyLevel && { accuracy_level: accuracyLevel }),
  });
}

/** Reshapes blockwise codes to rows. */
function asRows({ owner, weight, bits }: Layer, stored: Stored, sheet: Sheet): string {
  const [shape, rows] = [sheet.fresh(`${weight.name}_rows_shape`), sheet.fresh(`${stored.codes}_rows`)];
  add(sheet.constants, owner, int64Tensor(shape, [0, -1]));
  add(
    sheet.first,
    owner,
    nodeOf('Reshape', [stored.codes, shape], [rows], { name: sheet.fresh(`${weight.name}_Q${bits}_rows`) }),
  );
  return rows;
}

function lookUp(sites: readonly Site[], { bits }: Layer, stored: Stored, { block }: Settings, sheet: Sheet): void {
  const { codes, scales, zeros } = stored;
  for (const { node } of sites) {
    const inputs = [codes, node.input[1] as string, scales, zeros].filter(Boolean);
    const attributes = { bits, block_size: block, gather_axis: 0, quantize_axis: 1 };
    const gather = nodeOf('GatherBlockQuantized', inputs, node.output, {
      domain: MICROSOFT,
      name: node.name,
      ...attributes,
    });
    sheet.nodes.set(node, [gather]);
  }
}
