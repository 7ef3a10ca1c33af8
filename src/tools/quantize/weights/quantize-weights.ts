import { SardonyxError } from '../../../base/errors.js';
import { withFields } from '../../../model/document/changed.js';
import { takingTurns } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { withProto } from '../../model-of.js';
import { importing, MICROSOFT, opsetOf } from '../nodes.js';
import { eachOf } from '../progress.js';
import { replaced } from '../replaced.js';
import { emptySheet, type Sheet } from '../sheet.js';
import { asBlocked } from './as-blocked.js';
import { asOperators } from './as-operators.js';
import type { Codes } from './blocks.js';
import { blankCodesOf, codesOf, foundOf, needsInputs, type Rooms } from './codes-of.js';
import { deferring, holding } from './deferred.js';
import { divideInput } from './divide-input.js';
import { type Layer, layersOf, sizeOf } from './layers.js';
import { observed } from './observed.js';
import { type QuantizeWeightsOptions, settingsOf } from './options.js';
import { type Site, sitesOf } from './sites.js';

/**
 * Quantizes the weights of matrix products and embedding tables to 2, 4 or 8 bits, in blocks that share a scale.
 * Activations stay floating-point.
 * @throws SardonyxError INVALID_ARGUMENT if an option is invalid or the opset is too old, INVALID_MODEL for weights
 * that are not finite, ABORTED
 */
export async function quantizeWeights(model: Model, options: QuantizeWeightsOptions = {}): Promise<Model> {
  const settings = settingsOf(options);
  const { proto } = model;
  const { graph } = proto;
  const layers = layersOf(sitesOf(proto, settings));
  if (!graph || layers.length === 0) return model;
  if (settings.format === 'DequantizeLinear') requireBlocked(opsetOf(proto), layers);
  const form = settings.format === 'MatMulNBits' ? asOperators : asBlocked;
  const sheet = emptySheet(graph);
  const [informed, plain] = parted(layers, (layer) => needsInputs(layer, settings));
  const write = (layer: Layer, codes: Codes, to: Sheet) => form(layer, codes, settings, to);
  const rooms: Rooms = { weights: takingTurns(2), codes: takingTurns(1), scales: takingTurns(1) };
  const codesFor = (layer: Layer) => codesOf(model, layer, settings, rooms);
  const [hold, defer] = [holding(write), deferring(write, codesFor)];
  let held = 0;
  const nameOf = ({ sites: [site] }: Layer) => (site as Site).node.name;
  await eachOf('weights', plain, nameOf, settings, async (layer) => {
    held += bytesOf(layer);
    if (held > settings.hold) defer(layer, blankCodesOf(layer, settings, rooms), sheet);
    else hold(layer, await codesFor(layer), sheet);
  });
  if (informed.length > 0)
    for await (const group of observed(model, informed, settings))
      await eachOf(
        'weights',
        [group],
        ({ layers: [layer] }) => nameOf(layer as Layer),
        settings,
        async () => {
          const { codes, scales } = await foundOf(model, group, settings);
          group.layers.forEach((layer, i) => {
            hold(layer, codes[i] as Codes, sheet);
          });
          if (scales) divideInput(group, scales, sheet);
        },
      );
  const quantized = withFields(proto, { graph: replaced(graph, sheet) });
  return withProto(model, form === asOperators ? importing(quantized, MICROSOFT, 1) : quantized);
}

const bytesOf = (layer: Layer): number => {
  const { n, k } = sizeOf(layer);
  return (n * k * layer.bits) / 8;
};

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** Blocks exist since opset 21, 2-bit integers since 25. */
function requireBlocked(opset: number, layers: readonly Layer[]): void {
  const wanted = layers.some(({ bits }) => bits === 2) ? 25 : 21;
  if (opset >= wanted) return;
  const message = `blocks of DequantizeLinear need opset ${wanted}, but the model has opset ${opset}; convert the model first, or use the format MatMulNBits`;
  throw new SardonyxError('INVALID_ARGUMENT', message);
}
