import type { GraphProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { withProto } from '../../model-of.js';
import { changed } from '../changed.js';
import { namesIn, replaced } from '../graphs.js';
import { freshNames, importing, MICROSOFT, opsetOf } from '../nodes.js';
import { eachOf } from '../progress.js';
import { asBlocked } from './as-blocked.js';
import { asOperators } from './as-operators.js';
import type { Codes } from './blocks.js';
import { codesOf } from './codes-of.js';
import { type Bits, type QuantizeWeightsOptions, type Settings, settingsOf } from './options.js';
import { type Site, sitesOf } from './sites.js';

/** A weight to be quantised, and who reads it. */
export interface Layer {
  readonly weight: TensorProto;
  readonly owner: GraphProto;
  readonly bits: Bits;
  readonly byRows: boolean;
  readonly sites: readonly Site[];
}

/** A place that a model is written anew in. */
export interface Sheet {
  readonly nodes: Map<NodeProto, readonly NodeProto[]>;
  readonly constants: Map<GraphProto, readonly TensorProto[]>;
  readonly first: Map<GraphProto, readonly NodeProto[]>;
  readonly fresh: (base: string) => string;
}

/** Writes down one layer. */
export type Form = (layer: Layer, codes: Codes, settings: Settings, sheet: Sheet) => void;

/** Stores the weights of products and tables in few bits, by blocks with a scale each. */
export async function quantizeWeights(model: Model, options: QuantizeWeightsOptions = {}): Promise<Model> {
  const settings = settingsOf(options);
  const { proto } = model;
  const { graph } = proto;
  const layers = layersOf(sitesOf(proto, settings));
  if (!graph || layers.length === 0) return model;
  if (settings.format === 'DequantizeLinear') requireBlocked(opsetOf(proto), layers);
  const form: Form = settings.format === 'MatMulNBits' ? asOperators : asBlocked;
  const sheet = { nodes: new Map(), constants: new Map(), first: new Map(), fresh: freshNames(namesIn(graph)) };
  await eachOf(
    'weights',
    layers,
    ({ sites: [site] }) => (site as Site).node.name,
    settings,
    async (layer) => form(layer, await codesOf(model, layer, settings), settings, sheet),
  );
  const quantized = changed(proto, { graph: replaced(graph, sheet) });
  return withProto(model, form === asOperators ? importing(quantized, MICROSOFT, 1) : quantized);
}

/** Weights once each, whoever reads them. */
function layersOf(sites: readonly Site[]): Layer[] {
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

/** Blocks came with opset 21, 2-bit integers with 25. */
function requireBlocked(opset: number, layers: readonly Layer[]): void {
  const wanted = layers.some(({ bits }) => bits === 2) ? 25 : 21;
  if (opset >= wanted) return;
  const message = `DequantizeLinear takes such blocks from opset ${wanted} on; this model has ${opset}: convert it first, or take the format MatMulNBits`;
  throw new SardonyxError('INVALID_ARGUMENT', message);
}

/** Adds to what a graph gets. */
export function add<T>(map: Map<GraphProto, readonly T[]>, graph: GraphProto, ...more: readonly T[]): void {
  map.set(graph, [...(map.get(graph) ?? []), ...more]);
}
