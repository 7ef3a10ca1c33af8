import type { Choices } from './choices.js';
import type { Draft } from './draft.js';
import { CONTROL } from './makers/control.js';
import { ELEMENTWISE } from './makers/elementwise.js';
import { INDEXING } from './makers/indexing.js';
import { LINEAR } from './makers/linear.js';
import type { Makers } from './makers/maker.js';
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
import { NORMALIZATIONS } from './patterns/normalizations.js';
import { TRANSFORMER } from './patterns/transformer.js';

/** What a model resembles: a sort of network that rules are written for, or nothing. */
export interface Kind {
  addInput(g: Draft): void;
  /** What it is made of, with how often each is chosen. */
  readonly families: readonly (readonly [weight: number, family: Makers])[];
  /** The share of its constants that are inputs in truth. */
  readonly fed: number;
  /** How often the newest value is read next: the deeper a graph grows, the more of it a rule sees. */
  readonly straight: number;
  /** The share of values read in the model that are outputs, too: rules need parts of their own. */
  outputs(choices: Choices): number;
}

/** Beyond the blocks that kernels sum, stage and walk at a time. */
const LONG = [70, 150, 520, 1100];
const TYPES = [
  ...new Array(12).fill('float32'),
  ...(['float16', 'float16', 'float64', 'int32', 'int64', 'bool', 'bfloat16', 'uint8', 'uint8', 'int8'] as const),
];

function addAny(g: Draft): void {
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

const addFloats = (g: Draft, dims: readonly (number | string)[]) => {
  const type = g.choices.chance(0.93) ? 'float32' : 'float16';
  g.input(type, dims, (count) => g.draw(type, count));
};

/** [batch, rows, width]. */
function addTokens(g: Draft): void {
  const { pick } = g.choices;
  addFloats(g, [pick([1, 1, 2, 'n']), pick([...g.sizes, 'm']), pick([4, 6, 8, 8, 16])]);
}

/** [batch, channels, height, width]. */
function addMaps(g: Draft): void {
  const { pick } = g.choices;
  const side = () => pick([5, 6, 7, 8, 8, 9]);
  addFloats(g, [pick([1, 1, 2, 'n']), pick([2, 3, 4, 8, 16]), side(), side()]);
}

const ANYTHING: Kind = {
  addInput: addAny,
  families: [
    [6, ELEMENTWISE],
    [5, LINEAR],
    [5, SPATIAL],
    [4, REDUCTION],
    [6, MOVEMENT],
    [2.5, INDEXING],
    [2, SHAPES],
    [4, ACTIVATIONS],
    [2, TRANSFORMER],
    [2, NORMALIZATIONS],
    [2, CONVNET],
    [3, LAYOUT],
    [1.5, QUANTISED],
    [0.7, RECURRENT],
    [0.7, SEQUENCES],
    [2, CONTROL],
    [2.5, DECLARED],
    [2, TWINS],
  ],
  fed: 0.18,
  straight: 0.6,
  outputs: ({ chance }) => (chance(0.7) ? 0.02 : 0.2),
};

const LANGUAGE: Kind = {
  addInput: addTokens,
  families: [
    [4, TRANSFORMER],
    [4, NORMALIZATIONS],
    [4, ACTIVATIONS],
    [4, LINEAR],
    [2, LAYOUT],
    [2, ELEMENTWISE],
    [1, MOVEMENT],
    [2, REDUCTION],
    [1, INDEXING],
    [0.5, TWINS],
  ],
  fed: 0.03,
  straight: 0.8,
  outputs: ({ chance }) => (chance(0.8) ? 0 : 0.1),
};

const VISION: Kind = {
  addInput: addMaps,
  families: [
    [7, SPATIAL],
    [3, CONVNET],
    [3, ACTIVATIONS],
    [3, LAYOUT],
    [2, NORMALIZATIONS],
    [2, ELEMENTWISE],
    [1.5, REDUCTION],
    [1, MOVEMENT],
    [0.5, TWINS],
  ],
  fed: 0.03,
  straight: 0.8,
  outputs: ({ chance }) => (chance(0.8) ? 0 : 0.1),
};

export const KINDS: readonly (readonly [weight: number, kind: Kind])[] = [
  [4, ANYTHING],
  [2.5, LANGUAGE],
  [2.5, VISION],
];
