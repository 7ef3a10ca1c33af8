import { type Choices, choicesOf } from './choices.js';
import { Draft, type KnownTensor, type Sizes, Unfit } from './draft.js';
import type { Values } from './evaluate.js';
import { KINDS, type Kind } from './kinds.js';
import type { Maker } from './makers/maker.js';
import type { Program } from './program.js';

/** A model, and feeds in several sets of sizes. */
export interface Generated {
  readonly seed: number;
  readonly program: Program;
  readonly feeds: readonly Values[];
}

/** Sets of feeds, which have other sizes where sizes are open. */
export const SETS = 2;
const OPSETS = [11, 12, 13, 16, 17, 18, 20, 21, 22, 23, 24];
const SIZES = [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 16, 17];

function weighed<T>(choices: Choices, items: readonly (readonly [weight: number, item: T])[]): T {
  let left = choices.next() * items.reduce((sum, [weight]) => sum + weight, 0);
  const found = items.find(([weight]) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? (items[0] as (typeof items)[number]))[1];
}

const makerOf = (choices: Choices, { families }: Kind): Maker => weighed(choices, weighed(choices, families));

function symbolsOf(choices: Choices, sizes: readonly number[], sets: number): Sizes {
  const size = () => (choices.chance(0.04) ? 0 : choices.pick(sizes));
  return Object.fromEntries(['n', 'm'].map((symbol) => [symbol, Array.from({ length: sets }, size)]));
}

function readNext(g: Draft, { straight }: Kind): KnownTensor {
  const { tensors, choices } = g;
  return choices.chance(straight) ? (tensors.at(-1) as KnownTensor) : choices.pick(tensors);
}

/** Lets `maker` add to what is read next; whether that is for it. */
const fits = async (maker: Maker, g: Draft, kind: Kind): Promise<boolean> => {
  try {
    await maker(g, readNext(g, kind));
    return true;
  } catch (error) {
    if (error instanceof Unfit) return false;
    throw error;
  }
};

/** The model of that seed, with so many sets of feeds. */
export async function generate(seed: number, sets = SETS): Promise<Generated> {
  const choices = choicesOf(seed);
  const kind = weighed(choices, KINDS);
  const sizes = Array.from({ length: 4 }, () => choices.pick(SIZES));
  const opset = choices.pick(OPSETS);
  const g = new Draft(choices, { opset, sizes, symbols: symbolsOf(choices, sizes, sets), sets, fed: kind.fed });
  for (let n = 1 + choices.below(3); n > 0; n--) kind.addInput(g);
  const wanted = 2 + choices.below(choices.chance(0.2) ? 24 : 11);
  for (let tries = 0; g.nodes.length < wanted && tries < 60; tries++) {
    const maker = makerOf(choices, kind);
    for (let values = 3; values > 0 && !(await fits(maker, g, kind)); values--);
  }
  if (g.nodes.length === 0) g.op('Identity', [readNext(g, kind)]);
  const program = g.program(outputsOf(g, kind));
  return { seed, program, feeds: Array.from({ length: sets }, (_, set) => g.feeds(set)) };
}

/** What nobody reads, but for a few dead values, and some of what is read. */
function outputsOf(g: Draft, kind: Kind): string[] {
  const { chance } = g.choices;
  const made = g.nodes.flatMap(({ outputs }) => outputs).filter((name) => name !== null);
  const read = new Set(g.nodes.flatMap(({ inputs }) => inputs));
  const readToo = kind.outputs(g.choices);
  const chosen = made.filter((name) => chance(read.has(name) ? readToo : 0.9));
  return chosen.length > 0 ? chosen : made.slice(-1);
}
