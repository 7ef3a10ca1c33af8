import { type Choices, choicesOf } from './choices.js';
import { Draft, type KnownTensor, type Sizes, Unfit } from './draft.js';
import type { Values } from './evaluate.js';
import { CONTROL } from './makers/control.js';
import { ELEMENTWISE } from './makers/elementwise.js';
import { INDEXING } from './makers/indexing.js';
import { LINEAR } from './makers/linear.js';
import type { Maker, Makers } from './makers/maker.js';
import { MOVEMENT } from './makers/movement.js';
import { QUANTISED } from './makers/quantised.js';
import { RECURRENT } from './makers/recurrent.js';
import { REDUCTION } from './makers/reduction.js';
import { DECLARED } from './makers/schema.js';
import { SEQUENCES } from './makers/sequences.js';
import { SHAPES } from './makers/shapes.js';
import { SPATIAL } from './makers/spatial.js';
import { TWINS } from './makers/twins.js';
import { ACTIVATIONS } from './patterns/activations.js';
import { CONVNET } from './patterns/convnet.js';
import { LAYOUT } from './patterns/layout.js';
import { TRANSFORMER } from './patterns/transformer.js';
import type { Program } from './program.js';

/** A model, and feeds in several sets of sizes. */
export interface Generated {
  readonly seed: number;
  readonly program: Program;
  readonly feeds: readonly Values[];
}

/** Sets of feeds, which have other sizes where sizes are open. */
export const SETS = 2;
const OPSETS = [13, 16, 17, 18, 20, 21, 22, 23, 24];
const SIZES = [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 16, 17];
/** Beyond the blocks that kernels sum, stage and walk at a time. */
const LONG = [70, 150, 520, 1100];
const TYPES = [
  ...new Array(14).fill('float32'),
  'float16',
  'float16',
  'float64',
  'int32',
  'int64',
  'bool',
  'bfloat16',
  'uint8',
  'int8',
] as const;
/** Most of what models are made of comes first in each. */
const FAMILIES: readonly Makers[] = [
  ELEMENTWISE,
  LINEAR,
  SPATIAL,
  REDUCTION,
  MOVEMENT,
  INDEXING,
  SHAPES,
  ACTIVATIONS,
  TRANSFORMER,
  CONVNET,
  LAYOUT,
  QUANTISED,
  RECURRENT,
  SEQUENCES,
  CONTROL,
  DECLARED,
  TWINS,
];
const WEIGHTS = [6, 5, 5, 4, 6, 2.5, 2, 4, 5, 3, 3, 1.5, 0.7, 0.7, 2, 2.5, 1.5];

function weighed<T>(choices: Choices, weights: readonly number[], items: readonly T[]): T {
  let left = choices.next() * weights.reduce((sum, w) => sum + w, 0);
  const at = weights.findIndex((w) => {
    left -= w;
    return left < 0;
  });
  return items[Math.max(at, 0)] as T;
}

const makerOf = (choices: Choices): Maker => {
  const family = weighed(choices, WEIGHTS, FAMILIES);
  return weighed(
    choices,
    family.map(([weight]) => weight),
    family,
  )[1];
};

function symbolsOf(choices: Choices, sizes: readonly number[]): Sizes {
  const size = () => (choices.chance(0.04) ? 0 : choices.pick(sizes));
  return Object.fromEntries(['n', 'm'].map((symbol) => [symbol, Array.from({ length: SETS }, size)]));
}

function addInput(g: Draft): void {
  const { below, chance, pick } = g.choices;
  const rank = pick([0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 6]);
  const long = rank > 0 && chance(0.06) ? below(rank) : -1;
  const few = rank > 4 || long >= 0 ? [1, 2, 3] : g.sizes;
  const dims = Array.from({ length: rank }, (_, axis) => {
    if (axis === long) return pick(LONG);
    if (chance(axis === 0 ? 0.35 : 0.08)) return pick(['n', 'm']);
    return chance(0.015) ? 0 : pick(few);
  });
  const type = pick(TYPES);
  const special = chance(0.03) ? [-0] : [];
  g.input(type, dims, (count) => {
    const data = g.draw(type, count);
    if (type.startsWith('float') && count > 0) for (const x of special) data[below(count)] = x;
    return data;
  });
}

/** What is read next: mostly something new, so that the graph grows deep. */
function readNext(g: Draft): KnownTensor {
  const { tensors, choices } = g;
  return choices.chance(0.6) ? (tensors.at(-1) as KnownTensor) : choices.pick(tensors);
}

/** Lets `maker` add to what is read next; whether that is for it. */
const fits = async (maker: Maker, g: Draft): Promise<boolean> => {
  try {
    await maker(g, readNext(g));
    return true;
  } catch (error) {
    if (error instanceof Unfit) return false;
    throw error;
  }
};

/** The model of that seed. */
export async function generate(seed: number): Promise<Generated> {
  const choices = choicesOf(seed);
  const sizes = Array.from({ length: 4 }, () => choices.pick(SIZES));
  const g = new Draft(choices, choices.pick(OPSETS), sizes, symbolsOf(choices, sizes), SETS);
  for (let n = 1 + choices.below(3); n > 0; n--) addInput(g);
  const wanted = 2 + choices.below(choices.chance(0.2) ? 24 : 11);
  for (let tries = 0; g.nodes.length < wanted && tries < 60; tries++) {
    const maker = makerOf(choices);
    for (let values = 3; values > 0 && !(await fits(maker, g)); values--);
  }
  if (g.nodes.length === 0) g.op('Identity', [readNext(g)]);
  return { seed, program: g.program(outputsOf(g)), feeds: Array.from({ length: SETS }, (_, set) => g.feeds(set)) };
}

/** What nobody reads, but for a few dead values, and some of what is read: few in most graphs, as rules need parts of their own. */
function outputsOf(g: Draft): string[] {
  const { chance } = g.choices;
  const made = g.nodes.flatMap(({ outputs }) => outputs).filter((name) => name !== null);
  const read = new Set(g.nodes.flatMap(({ inputs }) => inputs));
  const readToo = chance(0.7) ? 0.02 : 0.2;
  const chosen = made.filter((name) => chance(read.has(name) ? readToo : 0.9));
  return chosen.length > 0 ? chosen : made.slice(-1);
}
