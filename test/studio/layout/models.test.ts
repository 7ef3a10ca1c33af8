import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BoxKind, type Picture } from '../../../studio/src/graph/picture.js';
import { isFolded } from '../../../studio/src/layout/folding.js';
import { shared } from '../../shared-data.js';
import { crossings } from './crossings.js';
import { faults } from './faults.js';
import { flatPicture, outlineAt, type Pictures, picturesOf } from './pictures.js';

const folder = shared('models');

interface Crossings {
  readonly closed: number;
  readonly opened: number;
}

/** What Netron's layout has of the same boxes and edges: netron.ts. */
const netron: Record<string, Crossings> = JSON.parse(readFileSync(new URL('netron.json', import.meta.url), 'utf8'));

/** Crossings as the eye sees them: lines of one source lie on each other, in lanes too. */
function crossed({ edges }: Picture): number {
  const corners = (i: number) =>
    edges.corners.subarray(2 * (edges.start[i] as number), 2 * (edges.start[i + 1] as number));
  return crossings(Array.from(edges.from, (net, i) => ({ net, corners: corners(i) }))).points;
}

/** Of gpt_mini, caches come into each layer and leave it: its borders make them cross what Netron, which knows no borders, leads past. */
const MORE: Record<string, number> = { gpt_mini: 17 };

const models = suite('studio layout of models');
const drawn = new Map<string, Promise<Pictures>>();
const pictures = (name: string) => {
  const known = drawn.get(name) ?? picturesOf(join(folder, name, 'model.onnx'));
  drawn.set(name, known);
  return known;
};

for (const [name, golden] of Object.entries(netron))
  models(`draws ${name} without faults, and with no more crossings than Netron and a tenth`, async () => {
    const { closed, opened, outline } = await pictures(name);
    const flat = flatPicture(outline);
    for (const picture of [closed, opened, flat]) assert.equal(faults(picture).slice(0, 5), []);
    const bounded = (found: number, bound: number) =>
      assert.ok(found <= bound, `${found} crossings, allowed are ${bound}`);
    bounded(crossed(closed), 1.1 * golden.closed);
    bounded(crossed(flat), 1.1 * golden.opened);
    bounded(crossed(opened), 1.1 * golden.opened + (MORE[name] ?? 0));
  });

models('leaves out constants, identities and what computes sizes', async () => {
  const left: Record<string, number> = {};
  for (const name of ['bert_mini', 'gpt_mini', 'ssdlite320', 'vit_tiny6'])
    left[name] = (await pictures(name)).outline.nodes.flags.filter((flags) => !isFolded(flags)).length;
  // As another count has it (224, 244, 943, 317); here limits of ranges and indices of top-k are sizes, too, and masks of ones are not.
  const expected = { bert_mini: 224, gpt_mini: 244, ssdlite320: 943, vit_tiny6: 317 };
  for (const [name, count] of Object.entries(expected))
    assert.ok(Math.abs((left[name] as number) / count - 1) < 0.1, `${name}: ${left[name]}`);
});

models('finds the layers of models whose names say nothing of them', async () => {
  for (const [name, times] of [
    ['bert_mini', 4],
    ['gpt_mini', 4],
  ] as const) {
    const { modules } = await pictures(name);
    const blocks = modules.title.flatMap((title, i) => (modules.parent[i] === -1 && /^block/.test(title) ? [i] : []));
    assert.is(blocks.length, times);
    assert.is(new Set(blocks.map((i) => modules.alike[i])).size, 1);
  }
});

models('sees that modules which repeat are alike', async () => {
  const { modules } = await pictures('vit_tiny6');
  const layers = modules.path.flatMap((path, i) => (/^encoder\/layers\/encoder_layer_\d$/.test(path) ? [i] : []));
  assert.is(layers.length, 6);
  assert.is(new Set(layers.map((i) => modules.alike[i])).size, 1);
  assert.equal(
    layers,
    [...layers].sort((a, b) => a - b),
  );
});

models('keeps the trunk of a transformer on one line in each of its layers', async () => {
  const { opened, outline } = await pictures('vit_tiny6');
  const { kind, subject, x, width, parent } = opened.boxes;
  const byLayer = new Map<number, number[]>();
  subject.forEach((node, box) => {
    const name = outline.strings[outline.nodes.name[node] as number] ?? '';
    if (kind[box] !== BoxKind.node || !/encoder_layer_\d\/Add(_1)?$/.test(name)) return;
    const middle = (x[box] as number) + (width[box] as number) / 2;
    byLayer.set(parent[box] as number, [...(byLayer.get(parent[box] as number) ?? []), middle]);
  });
  assert.is(byLayer.size, 6);
  for (const [a, b] of byLayer.values()) assert.ok(Math.abs((a as number) - (b as number)) < 0.01);
});

models('reads outlines of all models, and leaves no operand without a value', async () => {
  for (const name of Object.keys(netron)) {
    const { nodes, values } = await outlineAt(join(folder, name, 'model.onnx'));
    assert.ok(nodes.inputs.values.every((value) => value >= -1 && value < values.count));
  }
});

models.run();
