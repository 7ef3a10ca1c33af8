import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outline } from '../../../studio/src/graph/outline.js';
import { BoxKind, type Picture, type PictureOptions } from '../../../studio/src/graph/picture.js';
import { drawable } from '../../../studio/src/layout/drawable.js';
import { crossingCounter } from '../../../studio/src/layout/layered/crossings.js';
import { crossingsSaved } from '../../../studio/src/layout/layered/crossings-saved.js';
import { moveTo } from '../../../studio/src/layout/layered/ordering.js';
import type { OrderedLevel } from '../../../studio/src/layout/level-layout.js';
import { modulesOf } from '../../../studio/src/layout/modules.js';
import { layoutService } from '../../../studio/src/layout/service.js';
import { faults } from './faults.js';
import { decoder, type Op, outline, random, randomOutline } from './graphs.js';
import { all } from './pictures.js';

const layout = suite('studio layout');

const closed: PictureOptions = { opened: [], direction: 'down', folds: true };

function pictures(of: Outline, variants: readonly Partial<PictureOptions>[]): Picture[] {
  const service = layoutService();
  const modules = service.open(of);
  return variants.map((options) => service.picture({ ...closed, opened: all(modules), ...options }));
}

const VARIANTS = [{ opened: [] }, {}, { direction: 'right' as const }, { folds: false }];

const chain = (count: number, of: Op = { type: 'Relu' }): Op[] =>
  Array.from({ length: count }, (_, i) => ({ ...of, inputs: [`v${i - 1}`], outputs: [`v${i}`] }));

const fan = (count: number): Op[] => [
  { type: 'Relu', inputs: ['in'], outputs: ['v'] },
  ...Array.from({ length: count }, (_, i) => ({ type: 'Abs', inputs: ['v'], outputs: [`o${i}`] })),
];

const ODD: Record<string, Outline> = {
  nothing: outline([]),
  'an input that is an output': outline([], ['a'], ['a', 'a']),
  'one node': outline([{ type: 'Relu', inputs: ['a'], outputs: ['b'] }], ['a'], ['b']),
  'a node that reads itself': outline([{ type: 'Relu', inputs: ['b'], outputs: ['b'] }], [], ['b']),
  'a ring': outline(
    Array.from({ length: 12 }, (_, i) => ({ type: 'Add', inputs: [`v${(i + 11) % 12}`, 'in'], outputs: [`v${i}`] })),
    ['in'],
    ['v3'],
  ),
  'a ring of identities': outline(
    [
      { type: 'Identity', inputs: ['b'], outputs: ['a'] },
      { type: 'Identity', inputs: ['a'], outputs: ['b'] },
      { type: 'Relu', inputs: ['a'], outputs: ['c'] },
    ],
    [],
    ['c'],
  ),
  'all alone': outline(Array.from({ length: 50 }, (_, i) => ({ type: 'Relu', inputs: [], outputs: [`v${i}`] }))),
  'values that nothing makes': outline([{ type: 'Add', inputs: ['no', '', 'such'], outputs: ['', ''] }], [], ['none']),
  'a long chain': outline(chain(3000), ['v-1'], ['v2999']),
  'a chain backwards': outline(chain(500).reverse(), ['v-1'], ['v499']),
  'a deep scope': outline(
    [{ type: 'Relu', name: `${'a/'.repeat(500)}Relu`, inputs: ['x'], outputs: ['y'] }, ...chain(30)],
    ['x'],
    ['y'],
  ),
  'a name of slashes': outline([
    { type: 'Relu', name: '///', outputs: ['y'] },
    { type: 'Relu', name: '//a//b', inputs: ['y'] },
  ]),
};

for (const [what, of] of Object.entries(ODD))
  layout(`draws ${what}`, () => {
    for (const picture of pictures(of, VARIANTS)) assert.equal(faults(picture).slice(0, 5), []);
  });

layout('draws a value that ten thousand nodes read', () => {
  const [picture] = pictures(outline(fan(10_000), ['in']), [closed]);
  assert.equal(faults(picture as Picture).slice(0, 5), []);
  assert.ok((picture as Picture).boxes.count < 1000);
});

layout('draws random graphs, sound and damaged, without faults', () => {
  for (let seed = 0; seed < 150; seed++)
    for (const picture of pictures(randomOutline(seed, seed % 3 === 0), VARIANTS))
      assert.equal(faults(picture).slice(0, 5), [], `seed ${seed}`);
});

layout('draws a graph the same way each time, whatever was drawn before', () => {
  const of = randomOutline(7, false);
  const [fresh] = pictures(of, [{}]);
  const [, , again] = pictures(of, [{ opened: [] }, { opened: [0] }, {}]);
  assert.equal(again, fresh);
});

layout('draws each node, input and output once, as far as its modules are open', () => {
  for (let seed = 0; seed < 40; seed++) {
    const of = randomOutline(seed, false);
    const [picture] = pictures(of, [{ folds: false }]);
    const { kind, subject } = (picture as Picture).boxes;
    const nodes = Array.from(subject).filter((_, i) => kind[i] === BoxKind.node);
    assert.equal(
      nodes.sort((a, b) => a - b),
      Array.from({ length: of.nodes.count }, (_, i) => i),
    );
    assert.is(Array.from(kind).filter((k) => k === BoxKind.input).length, of.inputs.length);
    assert.is(Array.from(kind).filter((k) => k === BoxKind.output).length, of.outputs.length);
  }
});

layout('has an edge for each operand that is drawn', () => {
  for (let seed = 0; seed < 40; seed++) {
    const of = randomOutline(seed, false);
    const [picture] = pictures(of, [{ folds: false }]);
    const { edges } = picture as Picture;
    const known = (value: number) =>
      value >= 0 && ((of.values.producer[value] as number) >= 0 || of.inputs.includes(value));
    const expected =
      Array.from(of.nodes.inputs.values).filter(known).length + Array.from(of.outputs).filter(known).length;
    assert.is(
      edges.shared.reduce((sum, shared) => sum + shared, 0),
      expected,
    );
  }
});

layout('keeps the main chain of a residual network on one line', () => {
  const ops: Op[] = [];
  for (let i = 0; i < 6; i++) {
    ops.push({ type: 'Conv', inputs: [`x${i}`], outputs: [`c${i}`] });
    ops.push({ type: 'Relu', inputs: [`c${i}`], outputs: [`r${i}`] });
    ops.push({ type: 'Add', inputs: [`x${i}`, `r${i}`], outputs: [`x${i + 1}`] });
  }
  const [picture] = pictures(outline(ops, ['x0'], ['x6']), [{ opened: [] }]);
  const { x, width, count } = (picture as Picture).boxes;
  const middles = Array.from({ length: count }, (_, i) => (x[i] as number) + (width[i] as number) / 2);
  assert.ok(middles.every((middle) => Math.abs(middle - (middles[0] as number)) < 1e-3));
});

layout('draws at once what it draws in two steps, and rehearses without a trace', () => {
  const of = decoder(6);
  const service = layoutService();
  const modules = service.open(of);
  const opened = [modules.path.indexOf('model/layers'), modules.path.indexOf('model/layers/2')];
  const expected = service.picture({ ...closed, opened });
  service.open(randomOutline(1, false));
  const paths = ['model/layers', 'nowhere', 'model/layers/2'];
  const drawn = service.draw(of, { ...closed, opened: paths });
  assert.equal(drawn, { modules, opened, picture: expected });
  service.rehearse(randomOutline(2, false));
  assert.equal(service.picture({ ...closed, opened }), expected);
});

layout('knows how many crossings an exchange of neighbours saves, as counting all of them says', () => {
  let exchanged = 0;
  for (const of of [decoder(2), ...Array.from({ length: 60 }, (_, seed) => randomOutline(seed + 2000, true))]) {
    const modules = modulesOf(of);
    const graph = drawable(of, modules, true, 'down');
    for (let level = 0; level <= modules.count; level++) exchanged += exchangeAll(graph.ordered(level));
  }
  assert.ok(exchanged > 1000, `${exchanged} exchanges`);
});

/** Exchanges all neighbours of a level once, and tells how many there were. */
function exchangeAll({ proper, ordering }: OrderedLevel): number {
  const count = crossingCounter(proper);
  const saved = crossingsSaved(proper, ordering);
  let exchanged = 0;
  for (const row of ordering.rows)
    for (let i = 0; i + 1 < row.length; i++, exchanged++) {
      const [first, second] = [row[i] as number, row[i + 1] as number];
      const before = count.all(ordering);
      const expected = saved(first, second);
      moveTo(ordering, row, second, i);
      assert.is(before - count.all(ordering), expected);
    }
  return exchanged;
}

/** Modules in which something is drawn, whose box is in the picture and closed. */
const shut = ({ boxes }: Picture): number[] =>
  Array.from({ length: boxes.count }, (_, box) => box).filter((box) => boxes.kind[box] === BoxKind.module);

const boxOf = ({ boxes }: Picture, module: number): number =>
  boxes.subject.findIndex(
    (subject, box) => subject === module && (boxes.kind[box] as number) <= 2 && boxes.kind[box] !== BoxKind.node,
  );

layout('opens a module without moving what is outside by more than it grows', () => {
  const graphs = [decoder(6), ...Array.from({ length: 40 }, (_, seed) => randomOutline(seed + 1000, false))];
  for (const of of graphs) {
    const service = layoutService();
    service.open(of);
    const next = random(of.nodes.count);
    const opened: number[] = [];
    for (let step = 0; step < 12; step++) {
      const before = service.picture({ ...closed, opened });
      const candidates = shut(before);
      if (candidates.length === 0) break;
      const module = before.boxes.subject[candidates[Math.floor(next() * candidates.length)] as number] as number;
      opened.push(module);
      assert.equal(moved(before, service.picture({ ...closed, opened }), module), []);
    }
  }
});

/** What boxes stand for, open or closed; an output that is listed twice has two. */
function keysOf({ boxes }: Picture): string[] {
  const times = new Map<string, number>();
  return Array.from({ length: boxes.count }, (_, i) => {
    const kind = boxes.kind[i] === BoxKind.openModule ? BoxKind.module : boxes.kind[i];
    const key = `${kind},${boxes.subject[i]}`;
    times.set(key, (times.get(key) ?? 0) + 1);
    return `${key},${times.get(key)}`;
  });
}

/** What moves, beside the module, by more than that grows. */
function moved(before: Picture, after: Picture, module: number): string[] {
  const [a, b] = [boxOf(before, module), boxOf(after, module)];
  const shift = (axis: 'x' | 'y', i: number, k: number) =>
    (after.boxes[axis][k] as number) -
    (after.boxes[axis][b] as number) -
    ((before.boxes[axis][i] as number) - (before.boxes[axis][a] as number));
  const grown = (size: 'width' | 'height') =>
    (after.boxes[size][b] as number) - (before.boxes[size][a] as number) + 0.6;
  const places = new Map(keysOf(after).map((key, k) => [key, k]));
  const keysBefore = keysOf(before);
  const complaints: string[] = [];
  for (let i = 0; i < before.boxes.count; i++) {
    const k = places.get(keysBefore[i] as string);
    if (k === undefined) complaints.push(`box ${i} is gone`);
    else if (before.boxes.kind[i] !== BoxKind.openModule) {
      if (Math.abs(shift('x', i, k)) > grown('width'))
        complaints.push(`box ${i} moves by ${shift('x', i, k)} across, of ${grown('width')}`);
      if (Math.abs(shift('y', i, k)) > grown('height'))
        complaints.push(`box ${i} moves by ${shift('y', i, k)} down, of ${grown('height')}`);
    }
  }
  return complaints;
}

layout.run();
