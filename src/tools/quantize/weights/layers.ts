import type { GraphProto, TensorProto } from '../../../../build/onnx.js';
import { dimsOf } from '../tensor-data.js';
import type { Bits } from './options.js';
import type { Site } from './sites.js';

/** A weight to quantize and the nodes that read it. */
export interface Layer {
  readonly weight: TensorProto;
  readonly owner: GraphProto;
  readonly bits: Bits;
  readonly byRows: boolean;
  readonly sites: readonly Site[];
}

/** The number of output columns, n, and the number of terms of each, k. */
export function sizeOf({ weight, byRows }: Layer): { readonly n: number; readonly k: number } {
  const [rows = 0, columns = 0] = dimsOf(weight);
  return byRows ? { n: rows, k: columns } : { n: columns, k: rows };
}

/** Groups sites by weight. */
export function layersOf(sites: readonly Site[]): Layer[] {
  const layers = new Map<TensorProto, Map<string, Layer>>();
  for (const site of sites) {
    const { weight, owner, bits, byRows } = site;
    const forms = layers.get(weight) ?? new Map<string, Layer>();
    const key = `${bits} ${byRows}`;
    forms.set(key, { weight, owner, bits, byRows, sites: [...(forms.get(key)?.sites ?? []), site] });
    layers.set(weight, forms);
  }
  return [...layers.values()].flatMap((forms) => [...forms.values()]);
}
