import type { TensorProto } from '../../../build/onnx.js';
import { withFields } from '../../model/document/changed.js';
import { allOf } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { tensorsOf } from '../../model/document/tensors.js';
import { fromFloat16 } from '../../tensor/half.js';
import { withProto } from '../model-of.js';
import { importing, MICROSOFT } from '../quantize/nodes.js';
import { replaced } from '../quantize/replaced.js';
import { emptySheet } from '../quantize/sheet.js';
import { asOperators } from '../quantize/weights/as-operators.js';
import type { Codes } from '../quantize/weights/blocks.js';
import { deferring } from '../quantize/weights/deferred.js';
import { type Layer, layersOf, sizeOf } from '../quantize/weights/layers.js';
import { type Bits, settingsOf } from '../quantize/weights/options.js';
import { sitesOf } from '../quantize/weights/sites.js';
import type { Match } from './match.js';
import type { StoredWeight } from './stored-weight.js';

/** The number of elements that share a scale. */
const BLOCK = 32;

/** A format whose zero is the middle of the integer range, as in `MatMulNBits` without zero points. */
interface Integers {
  readonly bits: Bits;
  /** Unpacks the integers of a block, which follow the two bytes of its scale. */
  readonly read: (block: Uint8Array, to: Uint8Array) => void;
}

const FORMS: Readonly<Record<string, Integers>> = {
  Q4_0: {
    bits: 4,
    read(block, to) {
      for (let i = 0; i < 16; i++) {
        to[i] = (block[i + 2] as number) & 15;
        to[i + 16] = (block[i + 2] as number) >> 4;
      }
    },
  },
  Q8_0: {
    bits: 8,
    read(block, to) {
      for (let i = 0; i < 32; i++) to[i] = (block[i + 2] as number) ^ 128;
    },
  },
};

/** The integers and scales of a weight as stored in the file. */
async function codesOf(stored: Uint8Array, { read, bits }: Integers): Promise<Codes> {
  const bytes = await allOf(stored);
  const width = 2 + (BLOCK * bits) / 8;
  const count = bytes.length / width;
  const codes = new Uint8Array(count * BLOCK);
  const scales = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const block = bytes.subarray(i * width, (i + 1) * width);
    scales[i] = fromFloat16((block[0] as number) | ((block[1] as number) << 8));
    read(block, codes.subarray(i * BLOCK, (i + 1) * BLOCK));
  }
  return { codes, scales, zeros: undefined };
}

const blankCodes = ({ dims: [n = 0, k = 0] }: StoredWeight): Codes => ({
  codes: new Uint8Array(n * k),
  scales: new Float32Array((n * k) / BLOCK),
  zeros: undefined,
});

/**
 * Keeps weights that are quantized in the file as they are if nodes multiply by them or gather from them. `rest`: the
 * other matches.
 */
export function keepingBlocks(
  model: Model,
  matches: readonly Match[],
): { readonly rest: readonly Match[]; readonly kept: Model } {
  const { proto } = model;
  const found = new Map<TensorProto, StoredWeight>();
  for (const { weight, tensors } of matches)
    if (Object.hasOwn(FORMS, weight.form)) for (const tensor of tensors) found.set(tensor, weight);
  const settings = settingsOf({ block: BLOCK, symmetric: true });
  const layers = layersOf(
    sitesOf(proto, settings).flatMap((site) => {
      const { bits } = FORMS[found.get(site.weight)?.form ?? ''] ?? {};
      return bits ? [{ ...site, bits }] : [];
    }),
  ).filter((layer) => isLike(layer, found.get(layer.weight) as StoredWeight));
  if (!proto.graph || layers.length === 0) return { rest: matches, kept: model };
  const sheet = emptySheet(proto.graph);
  const write = deferring(
    (layer, codes, to) => asOperators(layer, codes, settings, to),
    (layer) => {
      const { form, stored } = found.get(layer.weight) as StoredWeight;
      return codesOf(stored, FORMS[form] as Integers);
    },
  );
  for (const layer of layers) write(layer, blankCodes(found.get(layer.weight) as StoredWeight), sheet);
  const quantized = withFields(proto, { graph: replaced(proto.graph, sheet) });
  const left = new Set(tensorsOf(quantized, () => true));
  return {
    rest: matches.filter(({ tensors }) => tensors.some((tensor) => left.has(tensor))),
    kept: withProto(model, importing(quantized, MICROSOFT, 1)),
  };
}

const isLike = (layer: Layer, { dims }: StoredWeight): boolean => {
  const { n, k } = sizeOf(layer);
  return dims.join() === `${n},${k}` && layer.weight.dataType !== BFLOAT16;
};

/** The ONNX code of bfloat16, which cannot hold half-precision scales. */
const BFLOAT16 = 16;
