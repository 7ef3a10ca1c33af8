import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreeAggregate, TreeTests } from '../../build/kernels.js';
import { packTrees } from '../../src/backends/wasm/lower/pack-trees.js';
import type { Test, TreeNode } from '../../src/primitives/trees.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

/** A stream of seeded numbers in [0, 1). */
function stream(seed: number): () => number {
  const numbers = randomFloats(1 << 14, seed);
  let i = 0;
  return () => ((numbers[i++ % numbers.length] as number) + 1) / 2;
}

interface Forest {
  readonly trees: number;
  readonly depth: number;
  readonly features: number;
  readonly targets: number;
  /** Votes per leaf, at most. */
  readonly votes: number;
  readonly tests: readonly Test[];
  readonly missing: boolean;
}

/** Thresholds and features are multiples of ¼, so that they are often equal. */
const quarter = (x: number) => Math.round(x * 16) / 4 - 2;

function randomTree(forest: Forest, next: () => number, depth = forest.depth): TreeNode {
  if (depth === 0 || next() < 0.15) {
    const count = Math.floor(next() * (forest.votes + 1));
    const vote = () => ({ target: Math.floor(next() * forest.targets), weight: Math.fround(next() - 0.4) });
    return { votes: Array.from({ length: count }, vote) };
  }
  const test = forest.tests[Math.floor(next() * forest.tests.length)] as Test;
  return {
    test,
    feature: Math.floor(next() * forest.features),
    values: Array.from({ length: test === 'MEMBER' ? 3 : 1 }, () => quarter(next())),
    missingPasses: forest.missing && next() < 0.5,
    whenTrue: randomTree(forest, next, depth - 1),
    whenFalse: randomTree(forest, next, depth - 1),
  };
}

const PASSES: Record<Test, (x: number, values: readonly number[]) => boolean> = {
  LEQ: (x, [t]) => x <= (t as number),
  LT: (x, [t]) => x < (t as number),
  GTE: (x, [t]) => x >= (t as number),
  GT: (x, [t]) => x > (t as number),
  EQ: (x, [t]) => x === t,
  NEQ: (x, [t]) => x !== t,
  MEMBER: (x, set) => set.includes(x),
};

function leafOf(node: TreeNode, row: ArrayLike<number>) {
  let at = node;
  while (!('votes' in at)) {
    const x = row[at.feature] as number;
    const passes = (Number.isNaN(x) && at.missingPasses) || PASSES[at.test](x, at.values);
    at = passes ? at.whenTrue : at.whenFalse;
  }
  return at;
}

type Aggregate = keyof typeof TreeAggregate;

function expectedScores(trees: readonly TreeNode[], row: ArrayLike<number>, base: readonly number[], by: Aggregate) {
  const votes = trees.flatMap((tree) => leafOf(tree, row).votes);
  return base.map((start, target) => {
    const weights = votes.filter((vote) => vote.target === target).map((vote) => vote.weight);
    if (weights.length === 0) return start;
    if (by === 'MIN') return start + Math.min(...weights);
    if (by === 'MAX') return start + Math.max(...weights);
    return start + weights.reduce((a, b) => a + b, 0) / (by === 'AVERAGE' ? trees.length : 1);
  });
}

const LEQ: readonly Test[] = ['LEQ'];
const BOUNDS: readonly Test[] = ['LEQ', 'LT', 'GTE', 'GT'];
const ALL: readonly Test[] = [...BOUNDS, 'EQ', 'NEQ', 'MEMBER'];

const cases: readonly (Forest & { rows: number; aggregate: Aggregate; kind: keyof typeof TreeTests })[] = [
  {
    trees: 7,
    depth: 6,
    features: 5,
    targets: 1,
    votes: 1,
    tests: LEQ,
    missing: false,
    rows: 1,
    aggregate: 'SUM',
    kind: 'THRESHOLDS',
  },
  {
    trees: 8,
    depth: 5,
    features: 3,
    targets: 4,
    votes: 3,
    tests: LEQ,
    missing: false,
    rows: 23,
    aggregate: 'SUM',
    kind: 'THRESHOLDS',
  },
  {
    trees: 5,
    depth: 9,
    features: 9,
    targets: 3,
    votes: 1,
    tests: ['LEQ', 'LT'],
    missing: false,
    rows: 50,
    aggregate: 'AVERAGE',
    kind: 'THRESHOLDS',
  },
  {
    trees: 3,
    depth: 4,
    features: 4,
    targets: 2,
    votes: 2,
    tests: LEQ,
    missing: true,
    rows: 31,
    aggregate: 'MIN',
    kind: 'MISSING',
  },
  {
    trees: 6,
    depth: 6,
    features: 4,
    targets: 2,
    votes: 2,
    tests: BOUNDS,
    missing: true,
    rows: 30,
    aggregate: 'MAX',
    kind: 'MISSING',
  },
  {
    trees: 9,
    depth: 5,
    features: 6,
    targets: 3,
    votes: 2,
    tests: ALL,
    missing: true,
    rows: 27,
    aggregate: 'SUM',
    kind: 'SETS',
  },
  {
    trees: 2,
    depth: 0,
    features: 1,
    targets: 1,
    votes: 1,
    tests: LEQ,
    missing: false,
    rows: 6,
    aggregate: 'SUM',
    kind: 'THRESHOLDS',
  },
];

for (const variant of variants) {
  const test = suite(`tree ensemble (${variant})`);
  for (const [seed, given] of cases.entries()) {
    for (const element of ['float32', 'float64'] as const) {
      const { rows, features, targets, aggregate, kind } = given;
      test(`${rows} rows, ${given.trees} trees, ${given.tests}, ${aggregate}, ${element}`, () => {
        const next = stream(seed + 1);
        const trees = Array.from({ length: given.trees }, () => randomTree(given, next));
        const base = Array.from({ length: targets }, (_, i) => i / 4);
        const Floats = element === 'float32' ? Float32Array : Float64Array;
        const x = new Floats(rows * features).map(() => (next() < 0.1 ? Number.NaN : quarter(next())));
        const rowAt = (i: number) => x.subarray(i * features, (i + 1) * features);
        const expected = Array.from({ length: rows }, (_, i) =>
          expectedScores(trees, rowAt(i), base, aggregate),
        ).flat();

        const engine = freshEngine(variant);
        const { bytes, facts } = packTrees(trees, base, element);
        assert.is(facts.tests, TreeTests[kind]);
        const nodes = placeGuarded(engine, bytes);
        const placed = Object.fromEntries(
          (['roots', 'votes', 'members', 'base'] as const).map((name) => [name, nodes + facts[name]]),
        ) as Record<'roots' | 'votes' | 'members' | 'base', number>;
        const y = placeGuarded(engine, new Floats(rows * targets));
        const size = rows * targets * Floats.BYTES_PER_ELEMENT;
        const shape = { rows, features, targets, trees: facts.trees, tests: facts.tests };
        const options = { aggregate: TreeAggregate[aggregate], narrow: 0, tileRows: 7 };
        const params = { x: placeGuarded(engine, x), y, nodes, ...placed, ...shape, ...options };
        const kernel = element === 'float32' ? 'treeEnsemble' : 'treeEnsembleF64';
        runInSplits(engine, kernel, params, Math.ceil(rows / 7), { address: y, bytes: size });
        assert.ok(guardsIntact(engine, y, size));
        assert.ok(guardsIntact(engine, nodes, bytes.length));
        const actual = new Floats(engine.u8.slice(y, y + size).buffer);
        const error = relativeL2(actual, expected);
        assert.ok(error < 1e-7, `relative L2 ${error}`);

        if (element === 'float64') {
          engine.launch(kernel, { ...params, narrow: 1 }, Math.ceil(rows / 7));
          assert.equal(engine.f32.slice(y / 4, y / 4 + rows * targets), Float32Array.from(actual));
        }
      });
    }
  }
  test.run();
}
