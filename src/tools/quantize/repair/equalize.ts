import type { Model } from '../../../model/document/model.js';
import { removeUnread } from '../../surgery/edit/dead.js';
import { edit } from '../../surgery/edit/edit.js';
import type { EditedNode } from '../../surgery/edit/graph.js';
import { oneOf } from '../one-of.js';
import { eachOf, type Watch } from '../progress.js';
import { foldNorm } from './fold-norms.js';
import { type Layer, layerOf, reachOf, scaleChannel, scaleOutput } from './layers.js';
import { type Pair, pairOf } from './pairs.js';

export const CLIPS = ['auto', 'drop', 'keep'] as const;

/** Options of `equalize`. */
export interface EqualizeOptions extends Watch {
  /**
   * How to handle a Clip such as 0 to 6 between two layers: `drop` replaces it with Relu, `keep` leaves both layers
   * unchanged, `auto` (default) replaces it if batch normalization shows that it clips fewer than 1 % of the values.
   */
  readonly clips?: (typeof CLIPS)[number];
  /** Whether to move large positive channel offsets to the bias of the next layer. Default: true. */
  readonly absorb?: boolean;
}

/** Rounds end when no channel changes by more than this. */
const SETTLED = 1e-3;
const MOST_ROUNDS = 100;

/** The maximum fraction of values beyond the bound of a removed Clip. */
const FEW = 0.01;

/**
 * Equalizes the weights of consecutive layers without data (Nagel et al. 2019, https://arxiv.org/abs/1906.04721). It
 * folds batch normalization into weights and scales channels between two layers until their weights have equal ranges,
 * so that one scale fits a whole weight. The model's results do not change.
 */
export function equalize(model: Model, options: EqualizeOptions = {}): Promise<Model> {
  const { clips = 'auto', absorb = true } = options;
  oneOf('clips', clips, CLIPS);
  return edit(model, async (graph) => {
    const layers = new Map<EditedNode, Layer>();
    await eachOf('layers', [...graph.nodes], nameOf, options, async (node) => {
      const layer = await layerOf(model, node);
      if (!layer) return;
      await foldNorm(model, layer);
      layers.set(node, layer);
    });
    const pairs: Pair[] = [];
    for (const layer of layers.values()) {
      const pair = await pairOf(model, layer, layers);
      if (pair && (!pair.clip || mayDrop(pair, clips))) pairs.push(pair);
    }
    for (const { clip } of pairs) if (clip) becomeRelu(clip.node);
    for (let round = 0, change = 1; change > SETTLED && round < MOST_ROUNDS; round++)
      change = Math.max(0, ...pairs.map(balance));
    if (absorb) for (const pair of pairs) if (pair.absorbs) moveExcess(pair);
    const folded = [...layers.values()].filter(({ normal }) => normal);
    for (const { write } of new Set([...folded, ...pairs.flatMap(({ first, second }) => [first, second])])) write();
  });
}

const nameOf = ({ name, op }: EditedNode): string => name || op;

/** Scales channels so that both weights have equal ranges. Returns the largest change, as a logarithm. */
function balance({ first, second }: Pair): number {
  let most = 0;
  for (let c = 0; c < first.outputs.count; c++) {
    const [before, behind] = [reachOf(first, first.outputs, c), reachOf(second, second.inputs, c)];
    const scale = Math.sqrt(before / behind);
    if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) continue;
    scaleOutput(first, c, 1 / scale);
    scaleChannel(second, second.inputs, c, scale);
    most = Math.max(most, Math.abs(Math.log(scale)));
  }
  return most;
}

/** Moves the offset that nearly all values of a channel exceed, three deviations below the mean, to the next bias. */
function moveExcess({ first, second }: Pair): void {
  if (!first.normal) return;
  const { mean, deviation } = first.normal;
  for (let c = 0; c < first.outputs.count; c++) {
    const excess = (mean[c] as number) - 3 * (deviation[c] as number);
    if (excess <= 0) continue;
    first.bias[c] = (first.bias[c] as number) - excess;
    mean[c] = (mean[c] as number) - excess;
    addThrough(second, c, excess);
  }
}

/** Adds the effect of a constant input offset in a channel to the bias. */
function addThrough({ values, bias, inputs, outputs }: Layer, channel: number, by: number): void {
  const { starts, length } = inputs.strips(channel);
  for (const start of starts)
    for (let i = start; i < start + length; i++) {
      const output = outputs.channelOf(i);
      bias[output] = (bias[output] as number) + by * (values[i] as number);
    }
}

/**
 * Whether a Clip can be dropped: the fraction of normally distributed values beyond the bound, by a logistic
 * approximation, is small.
 */
function mayDrop({ first: { normal }, clip }: Pair, clips: EqualizeOptions['clips']): boolean {
  if (clips !== 'auto') return clips === 'drop';
  if (!normal || !clip) return false;
  const beyond = normal.mean.map((mean, c) => {
    const deviations = (clip.most - mean) / (normal.deviation[c] || 1e-9);
    return 1 / (1 + Math.exp(1.702 * deviations));
  });
  return beyond.reduce((sum, share) => sum + share, 0) < FEW * beyond.length;
}

function becomeRelu(node: EditedNode): void {
  const [input, ...bounds] = node.inputs;
  node.op = 'Relu';
  node.inputs = [input ?? null];
  for (const bound of bounds) if (bound) removeUnread(bound);
  for (const name of ['min', 'max']) node.setAttribute(name, undefined);
}
