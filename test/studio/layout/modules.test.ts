import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outline } from '../../../studio/src/graph/outline.js';
import type { Modules } from '../../../studio/src/graph/picture.js';
import { modulesOf } from '../../../studio/src/layout/modules.js';
import { decoder, type Op, outline, randomOutline } from './graphs.js';

const modules = suite('studio modules');

const op = (name: string, inputs: string[], output: string, type = 'Relu'): Op => ({
  type,
  name,
  inputs,
  outputs: [output],
});

/** Where each node is, by path. */
const places = ({ ofNode, path }: Modules): string[] =>
  Array.from(ofNode, (module) => (module < 0 ? '' : (path[module] as string)));

/** Whether each group of nodes that are in one module could be drawn as one box without a cycle: by hand, over all pairs of modules at the top. */
function hasCycle(of: Outline, { ofNode, parent }: Modules): boolean {
  const top = (node: number): string => {
    let module = ofNode[node] as number;
    while (module >= 0 && (parent[module] as number) >= 0) module = parent[module] as number;
    return module < 0 ? `node ${node}` : `module ${module}`;
  };
  const next = new Map<string, Set<string>>();
  for (let node = 0; node < of.nodes.count; node++)
    for (let i = of.nodes.inputs.start[node] as number; i < (of.nodes.inputs.start[node + 1] as number); i++) {
      const producer = of.values.producer[of.nodes.inputs.values[i] as number] ?? -1;
      if (producer < 0 || top(producer) === top(node)) continue;
      next.set(top(producer), (next.get(top(producer)) ?? new Set()).add(top(node)));
    }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(next.get(from) ?? [])].some((at) => at === to || (!seen.has(at) && reaches(at, to, seen.add(at))));
  return [...next.keys()].some((key) => reaches(key, key));
}

modules('are the scopes of names, without those of one node', () => {
  const of = outline(
    [
      op('/a/b/x', ['i'], '1'),
      op('/a/b/y', ['1'], '2'),
      op('/a/c/z', ['2'], '3'),
      op('/d/e/f/g', ['3'], '4'),
      op('/d/e/f/h', ['4'], '5'),
    ],
    ['i'],
    ['5'],
  );
  const found = modulesOf(of);
  assert.equal(found.path, ['a', 'a/b', 'd/e/f']);
  assert.equal(found.title, ['a', 'b', 'd/e/f']);
  assert.equal(places(found), ['a/b', 'a/b', 'a', 'd/e/f', 'd/e/f']);
  assert.equal([...found.size], [3, 2, 2]);
});

modules('take constants and identities to their readers', () => {
  const of = outline(
    [
      op('Constant_84', [], 'c', 'Constant'),
      op('Identity_4', ['w'], 'v', 'Identity'),
      op('/a/b/x', ['i', 'c'], '1', 'Add'),
      op('/a/b/y', ['1', 'v'], '2', 'Add'),
      op('/a/c/x', ['2', 'v'], '3', 'Add'),
      op('/a/c/y', ['3'], '4'),
    ],
    ['i'],
    ['4'],
  );
  assert.equal(places(modulesOf(of)).slice(0, 2), ['a/b', 'a']);
});

modules('are divided where one is called twice', () => {
  const twice = (scope: string, i: string, o: string) => [
    op(`/${scope}/x`, [i], `${o}x`),
    op(`/${scope}/y`, [`${o}x`], o),
  ];
  const of = outline([...twice('norm', 'i', '1'), ...twice('mlp', '1', '2'), ...twice('norm', '2', '3')], ['i'], ['3']);
  const found = modulesOf(of);
  assert.equal(found.title, ['norm', 'mlp', 'norm']);
  assert.equal(found.path, ['norm', 'mlp', 'norm#2']);
  assert.not(hasCycle(of, found));
});

modules('are divided where two are woven into each other', () => {
  const names = ['a', 'b', 'b', 'a', 'a', 'b', 'b', 'a'];
  const of = outline(
    names.map((scope, i) => op(`/${scope}/n${i}`, i % 4 < 2 ? ['i'] : [`${i - 2}`, `${i - 1}`], `${i}`, 'Add')),
    ['i'],
    ['7'],
  );
  assert.not(hasCycle(of, modulesOf(of)));
});

modules('never make a cycle of a graph without', () => {
  for (let seed = 0; seed < 60; seed++) {
    const { nodes, ...rest } = randomOutline(seed, false);
    const of = { ...rest, nodes, values: { ...rest.values, flags: rest.values.flags.map((flags) => flags & ~16) } };
    assert.not(hasCycle(of, modulesOf(of)), `seed ${seed}`);
  }
});

modules('are found by structure where names say nothing', () => {
  const found = modulesOf(decoder(12, false));
  const blocks = found.title.filter((title) => /^block \d+$/.test(title));
  assert.is(blocks.length, 12);
  assert.is(new Set(found.alike).size, 1);
  assert.ok(found.size.every((size) => size === 23));
});

modules('divide what has more than a thousand items', () => {
  const of = outline(
    Array.from({ length: 2500 }, (_, i) =>
      op('', [`${i - 1}`], `${i}`, ['Relu', 'Abs', 'Neg'][((i * i) % 7) % 3] as string),
    ),
    ['-1'],
    ['2499'],
  );
  const found = modulesOf(of);
  const atTop = found.parent.filter((parent) => parent < 0).length + found.ofNode.filter((module) => module < 0).length;
  assert.ok(atTop <= 1000 && found.count > 0);
  assert.is(
    found.size.reduce((sum, size, i) => sum + ((found.parent[i] as number) < 0 ? size : 0), 0) +
      found.ofNode.filter((m) => m < 0).length,
    2500,
  );
});

modules('come before those in them, each with a path of its own, the same each time', () => {
  for (let seed = 0; seed < 60; seed++) {
    const of = randomOutline(seed, seed % 2 === 0);
    const found = modulesOf(of);
    assert.ok(found.parent.every((parent, i) => parent < i));
    assert.is(new Set(found.path).size, found.count);
    assert.equal(modulesOf(of), found);
  }
});

modules.run();
