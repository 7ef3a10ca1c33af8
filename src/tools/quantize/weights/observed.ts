import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { gramMatrices } from './gram-matrices.js';
import { type Layer, sizeOf } from './layers.js';
import type { Settings } from './options.js';

/** A layer, and XᵀX of all that it was multiplied by. */
export interface Observed {
  readonly layer: Layer;
  readonly gram: Float64Array;
}

const inputsOf = ({ sites }: Layer): string[] => sites.map(({ node }) => node.input[0] as string);

/** Layers as soon as it is known what goes into them. */
export async function* observed(model: Model, layers: readonly Layer[], settings: Settings): AsyncGenerator<Observed> {
  const { feeds } = settings;
  if (!feeds)
    throw new SardonyxError('INVALID_ARGUMENT', `the method ${settings.method} takes feeds, on which the model is run`);
  requireOutermost(model, layers);
  const widths = new Map(layers.flatMap((layer) => inputsOf(layer).map((name) => [name, sizeOf(layer).k] as const)));
  const known = new Map<string, Float64Array>();
  const waiting = new Set(layers);
  for await (const group of gramMatrices(model, widths, feeds, settings)) {
    for (const [name, gram] of group) known.set(name, gram);
    for (const layer of waiting) {
      const grams = inputsOf(layer).map((name) => known.get(name));
      if (grams.includes(undefined)) continue;
      waiting.delete(layer);
      yield { layer, gram: sumOf(grams as Float64Array[]) };
    }
    for (const name of known.keys())
      if (![...waiting].some((layer) => inputsOf(layer).includes(name))) known.delete(name);
  }
}

/** Values of inner graphs cannot be seen. */
function requireOutermost({ proto }: Model, layers: readonly Layer[]): void {
  const inner = layers.flatMap(({ sites }) => sites).find(({ graph }) => graph !== proto.graph);
  if (!inner) return;
  const message = 'is in a graph inside, where it cannot be seen what it is multiplied by; exclude it';
  throw new SardonyxError('INVALID_ARGUMENT', message, { node: inner.node.name, operator: inner.node.opType });
}

function sumOf([first, ...others]: readonly Float64Array[]): Float64Array {
  if (others.length === 0) return first as Float64Array;
  return (first as Float64Array).map((x, i) => others.reduce((sum, other) => sum + (other[i] as number), x));
}
