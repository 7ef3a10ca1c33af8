import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { gramMatrices } from './gram-matrices.js';
import { type Layer, sizeOf } from './layers.js';
import type { Settings } from './options.js';

/** Layers with the same input, and XᵀX of it. */
export interface Observed {
  readonly inputs: readonly string[];
  readonly layers: readonly Layer[];
  readonly gram: Float64Array;
}

type Group = Omit<Observed, 'gram'>;

function groupsOf(layers: readonly Layer[]): Group[] {
  const groups = new Map<string, Group>();
  for (const layer of layers) {
    const inputs = [...new Set(layer.sites.map(({ node }) => node.input[0] as string))].sort();
    const key = JSON.stringify(inputs);
    groups.set(key, { inputs, layers: [...(groups.get(key)?.layers ?? []), layer] });
  }
  return [...groups.values()];
}

/** Yields layers as soon as the statistics of their inputs are known. */
export async function* observed(model: Model, layers: readonly Layer[], settings: Settings): AsyncGenerator<Observed> {
  const { feeds } = settings;
  if (!feeds) throw new SardonyxError('INVALID_ARGUMENT', `the method ${settings.method} needs feeds`);
  requireOutermost(model, layers);
  const waiting = new Set(groupsOf(layers));
  const widths = new Map(
    [...waiting].flatMap(({ inputs, layers: [layer] }) =>
      inputs.map((name) => [name, sizeOf(layer as Layer).k] as const),
    ),
  );
  const known = new Map<string, Float64Array>();
  for await (const grams of gramMatrices(model, widths, feeds, settings)) {
    for (const [name, gram] of grams) known.set(name, gram);
    for (const group of waiting) {
      const own = group.inputs.map((name) => known.get(name));
      if (own.includes(undefined)) continue;
      waiting.delete(group);
      yield { ...group, gram: sumOf(own as Float64Array[]) };
    }
    const isAwaited = (name: string) => [...waiting].some(({ inputs }) => inputs.includes(name));
    for (const name of known.keys()) if (!isAwaited(name)) known.delete(name);
  }
}

/** Throws for layers in subgraphs, whose values cannot be captured. */
function requireOutermost({ proto }: Model, layers: readonly Layer[]): void {
  const inner = layers.flatMap(({ sites }) => sites).find(({ graph }) => graph !== proto.graph);
  if (!inner) return;
  const message = 'the inputs of nodes in subgraphs cannot be observed; exclude the node';
  throw new SardonyxError('INVALID_ARGUMENT', message, { node: inner.node.name, operator: inner.node.opType });
}

function sumOf([first, ...others]: readonly Float64Array[]): Float64Array {
  if (others.length === 0) return first as Float64Array;
  return (first as Float64Array).map((x, i) => others.reduce((sum, other) => sum + (other[i] as number), x));
}
