import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import { writeType } from '../../../src/model/write-attributes.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { generatedFeeds, loadModel, type Model, parseModel, type TypeProto } from '../../../src/tools/index.js';
import { typesIn } from '../../../src/tools/infer/index.js';
import { graphAt } from '../../../studio/src/workers/documents/graph-at.js';
import { outlineOf } from '../../../studio/src/workers/documents/outline-of.js';
import { graphPaths } from '../../../studio/src/workers/documents/search-index.js';
import { typeText } from '../../../studio/src/workers/documents/type-text.js';
import { typesOf } from '../../../studio/src/workers/documents/types-of.js';
import { shared } from '../../shared-data.js';

const test = suite('studio/types');

/** Types of all values of a graph as the page shows them on edges, by their names. */
async function shown(model: Model, path: string): Promise<Map<string, string>> {
  const { strings, values } = outlineOf(graphAt(model.proto, path), { path });
  const names = Array.from(values.name, (name) => strings[name] as string);
  const types = await typesOf(model, path, names);
  return new Map(names.map((name, i) => [name, types.strings[types.type[i] as number] as string]));
}

/** `12/body/3/then_branch`, as issues say it. */
const asPlace = (path: string): string =>
  ['graph', ...path.split('/').filter(Boolean)]
    .map((step, i) => (i === 0 ? step : i % 2 ? `.node[${step}]` : `.attribute.${step}.g`))
    .join('');

const isAnonymous = (size: string): boolean => size.includes('?') || /^unk__\d+$/.test(size);

/** Sizes that come to no formula of the model's own names have none in a file; numbers and names are to be the very same. */
const isSameSize = (shown: string, expected: string): boolean =>
  shown === expected.replace(/^\((.*)\)$/, '$1') || (isAnonymous(shown) && !/^\w+$/.test(expected));

function isSameType(shown: string, expected: string): boolean {
  const [a, b] = [shown, expected].map((text) => text.split(/\[|, |\]/));
  return a?.length === b?.length && a?.every((size, i) => isSameSize(size, b?.[i] ?? '')) === true;
}

const kindOf = (text: string): string => text.replace(/\[.*/, '');

/** Whether the numbers in a type are those of another, and all else is open. */
function isOpenTo(shown: string, expected: string): boolean {
  const [a = [], b = []] = [shown, expected].map((text) => text.split(/\[|, |\]/));
  return a.length === b.length && a.every((size, i) => size === b[i] || (i > 0 && !/^\d+$/.test(size)));
}

/** Values whose type on the edge is not what inference finds. */
async function different(model: Model): Promise<string[]> {
  const inferred = await typesIn(model);
  const found: string[] = [];
  for (const path of graphPaths(model.proto).filter((each) => !each.startsWith('function/'))) {
    const types = inferred.get(asPlace(path));
    const { input, output, valueInfo } = graphAt(model.proto, path);
    const declared = new Map([...input, ...output, ...valueInfo].map(({ name, type }) => [name, typeText(type)]));
    for (const [name, text] of await shown(model, path)) {
      const type = types?.get(name);
      const expected = type && typeText(writeType(type) as TypeProto);
      // Where the model contradicts itself, the edge says what the model does.
      const isDenied = text === declared.get(name) && kindOf(text) !== kindOf(expected ?? '');
      if (expected && !isDenied && !isSameType(text, expected)) found.push(`${path} ${name}: ${text}, not ${expected}`);
    }
  }
  return found;
}

async function sameIn(folder: string, names: readonly string[]): Promise<number> {
  const wrong: string[] = [];
  let values = 0;
  for (const name of names) {
    const path = join(folder, name, 'model.onnx');
    if (!existsSync(path)) continue;
    const model = await loadModel(readFileSync(path));
    wrong.push(...(await different(model)).map((each) => `${name}: ${each}`));
    for (const graph of graphPaths(model.proto)) values += (await shown(model, graph)).size;
  }
  assert.equal(wrong, []);
  return values;
}

const models = shared('models');
const cases = shared('onnx-backend-tests');
const CONTROL = /^test_(if|loop|scan|sequence_map|range_.*_expanded|optional)/;

test('edges of the shared models say what inference finds', async () => {
  const names = readdirSync(models, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const count = await sameIn(
    models,
    names.map(({ name }) => name),
  );
  assert.ok(count > 2000, `${count} values`);
});

test('so do those of control flow, in its graphs, too', async () => {
  const names = readdirSync(`${cases}/node`).filter((name) => CONTROL.test(name));
  assert.ok(names.length > 15);
  assert.ok((await sameIn(`${cases}/node`, names)) > 100);
});

const CALLED = `<ir_version: 10, opset_import: ["": 21, "local": 1]>
called (float[2, 3] x, float16[n, 5] h, bool yes) => (float[3, 2] a, float16[5, n] b) {
  a = local.Outer <order = [1, 0]> (x)
  b = local.Inner <perm = [1, 0]> (h)
}
<domain: "local", opset_import: ["": 21, "local": 1]>
Outer <order> (v) => (w) {
  r = Relu (v)
  w = local.Inner <perm: ints = @order> (r)
}
<domain: "local", opset_import: ["": 21]>
Inner <perm> (v) => (w) {
  yes = Constant <value = bool {1}> ()
  w = If (yes) <
    then_branch = t () => (p) { p = Transpose <perm: ints = @perm> (v) },
    else_branch = e () => (q) { q = Transpose <perm: ints = @perm> (v) }
  >
}
<domain: "local", opset_import: ["": 21]>
Never () => (c) { c = Constant <value = float {1}> () }`;

test('in a function, edges say the types of its call, and what several agree in', async () => {
  const model = parseModel(CALLED);
  assert.equal(
    [...(await shown(model, 'function/local:Outer'))],
    [
      ['v', 'float32[2, 3]'],
      ['r', 'float32[2, 3]'],
      ['w', 'float32[3, 2]'],
    ],
  );
  assert.is((await shown(model, 'function/local:Inner')).get('v'), '', 'float32 and float16 have nothing in common');
  const once = parseModel(
    CALLED.replace('h) {', 'h) {').replace('b = local.Inner <perm = [1, 0]> (h)', 'b = Transpose (h)'),
  );
  const inner = await shown(once, 'function/local:Inner');
  assert.equal([inner.get('v'), inner.get('yes'), inner.get('w')], ['float32[2, 3]', 'bool[]', 'float32[3, 2]']);
  assert.is((await shown(once, 'function/local:Inner/1/then_branch')).get('p'), 'float32[3, 2]');
  assert.is((await shown(model, 'function/local:Never')).get('c'), '', 'nobody calls it');
  const twice = parseModel(
    CALLED.replace('float16[n, 5] h', 'float[n, 3] h').replace('float16[5, n] b', 'float[3, n] b'),
  );
  assert.is((await shown(twice, 'function/local:Inner')).get('v'), 'float32[?, 3]');
});

test('after a run edges say the sizes that it had', async () => {
  let exact = 0;
  const open = new Map<string, number>();
  for (const { name } of readdirSync(models, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const bytes = readFileSync(join(models, name, 'model.onnx'));
    const model = await loadModel(bytes);
    const session = await InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled' });
    const feeds = generatedFeeds(session.inputMetadata, { batch: 2, h: 32, w: 32 }) as Record<string, TensorValue>;
    const values = { ...feeds, ...(await session.run(feeds as never, { capture: 'all' })) };
    await session.release();
    const { strings, values: columns } = outlineOf(graphAt(model.proto, ''), {});
    const names = Array.from(columns.name, (index) => strings[index] as string);
    const fed = Object.fromEntries(Object.entries(feeds).map(([input, { dims }]) => [input, dims]));
    const types = await typesOf(model, '', names, fed);
    for (const [i, value] of names.entries()) {
      const found = values[value as never] as TensorValue | undefined;
      const text = types.strings[types.type[i] as number] as string;
      if (!found || !('dims' in found) || text === '') continue;
      const expected = `${found.type}[${found.dims.join(', ')}]`;
      assert.ok(isOpenTo(text, expected), `${name} ${value}: ${text}, not ${expected}`);
      if (text === expected) exact++;
      else open.set(name, (open.get(name) ?? 0) + 1);
    }
  }
  console.log(`      ${exact} values to the number, open: ${JSON.stringify([...open])}`);
  assert.ok(exact > 3900);
  // How many boxes there are, only a run says: one that captures values shows them all.
  assert.equal([...open.keys()], ['ssdlite320']);
});

test.run();
