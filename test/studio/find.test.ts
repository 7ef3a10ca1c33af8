import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KINDS, type SearchIndex } from '../../studio/src/workers/contracts/search-index.js';
import { matches, searchable } from '../../studio/src/workers/find/match.js';
import { parseQuery } from '../../studio/src/workers/find/query.js';
import { leading } from '../tier.js';
import { EVIL, notedModel, written } from './details-model.js';
import { closeStudio, type Opened, openFiles, openStudio, type Page, shared } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('studio/find'), { ci: 3 });
test.after(closeStudio);

test('a search is words, exact texts, attributes, shapes and expressions', () => {
  assert.equal(parseQuery('conv  "Add one" kernel_shape=3 1,3,?,n /^a\\/b$/i'), [
    { kind: 'word', text: 'conv' },
    { kind: 'exact', text: 'Add one' },
    { kind: 'attribute', name: 'kernel_shape', value: '3' },
    { kind: 'shape', sizes: ['1', '3', '?', 'n'] },
    { kind: 'pattern', pattern: /^a\/b$/iu },
  ]);
  assert.equal(parseQuery('[] axis= /a/b'), [
    { kind: 'shape', sizes: [] },
    { kind: 'attribute', name: 'axis', value: '' },
    { kind: 'word', text: '/a/b' },
  ]);
  assert.throws(() => parseQuery('/(/'), /regular expression/i);
  assert.equal(parseQuery('   '), []);
});

/** An index of rows [kind, name, operator, type, attributes], all of one graph. */
function indexOf(rows: readonly (readonly [number, string, string, string, string])[]): SearchIndex {
  const strings = ['', ...new Set(rows.flatMap((row) => row.slice(1) as string[]))];
  const places = new Map(strings.map((text, i) => [text, i]));
  const column = (at: 1 | 2 | 3 | 4) => Int32Array.from(rows, (row) => places.get(row[at]) ?? 0);
  return {
    graphs: [''],
    strings,
    kind: Uint8Array.from(rows, ([kind]) => kind),
    graph: new Int32Array(rows.length),
    subject: Int32Array.from(rows, (_, i) => i),
    name: column(1),
    operator: column(2),
    type: column(3),
    attributes: column(4),
  };
}

const ROWS = [
  [0, 'stem/conv', 'Conv', '', 'kernel_shape=3, 5\ngroup=1'],
  [0, 'last', 'Softmax', '', 'axis=-1'],
  [1, 'hidden', '', 'float32[1, 3, 224, 224]', ''],
  [1, 'ids', '', 'int64[batch]', ''],
  [2, 'stem.weight', '', 'float32[]', ''],
] as const;

const CASES: readonly (readonly [query: string, found: readonly number[]])[] = [
  ['conv', [0]],
  ['STEM', [0, 4]],
  ['stem weight', [4]],
  ['axis', [1]],
  ['kernel_shape=3', [0]],
  ['kernel_shape=3,5', [0]],
  ['kernel_shape=5,3', []],
  ['shape=3', []],
  ['1,3,224,224', [2]],
  ['1,?,?,224', [2]],
  ['3,224', []],
  ['224', [2]],
  ['batch', [3]],
  ['[batch]', [3]],
  ['[]', [4]],
  ['int64', [3]],
  ['float32', [2, 4]],
  ['"Conv"', [0]],
  ['"conv"', []],
  ['/^(last|ids)$/', [1, 3]],
  ['/CONV/i', [0]],
];

test('finds what each kind of term means', () => {
  const index = searchable(indexOf(ROWS));
  for (const [query, expected] of CASES) assert.equal([...matches(index, parseQuery(query), KINDS)], expected, query);
  assert.equal([...matches(index, parseQuery('float32'), ['weight'])], [4]);
});

async function finding(path: string): Promise<Opened> {
  const studio = await openStudio();
  await openFiles(studio.page, path);
  await studio.page.getByRole('region', { name: 'Model' }).waitFor();
  await studio.page.keyboard.press('Control+f');
  return studio;
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Find in the model' });
const found = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option');
const counted = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const heading = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name, exact: true }).waitFor();

test('Ctrl+F finds in subgraphs and functions; Enter and arrows walk there', async () => {
  const { page, problems, close } = await finding(notedModel());
  await field(page).fill('in_else');
  await counted(page, '1 found');
  await found(page)
    .filter({ hasText: /Neg\s*in_else in 1\/else_branch/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'Neg');
  await page.getByRole('navigation', { name: 'Graph path' }).getByText('else_branch of 1').waitFor();
  await page.waitForFunction('document.activeElement.getAttribute("aria-controls") === "found"');

  await field(page).fill('sum');
  await counted(page, '1 found');
  await page.keyboard.press('ArrowDown');
  await heading(page, 'Add');
  await page.getByRole('navigation', { name: 'Graph path' }).getByText('local:Twice').waitFor();

  await field(page).fill(`/${EVIL.slice(0, 8)}/`);
  await counted(page, '1 found');
  await found(page).filter({ hasText: EVIL }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('shapes that were inferred are found, kinds are chosen', async () => {
  const { page, problems, close } = await finding(shared('models/mobilenet_v2/model.onnx'));
  await field(page).fill('kernel_shape=3 group=32');
  await counted(page, '1 found');
  await field(page).fill('batch,32,112,112');
  await counted(page, '4 found');
  await field(page).fill('float32');
  await page.getByRole('button', { name: 'Values' }).click();
  await counted(page, '176 found');
  await comesTo(() => page.getByRole('button', { name: 'Values' }).getAttribute('aria-pressed'), 'false');
  assert.equal(problems, []);
  await close();
});

test('an expression that tries too much ends, and the next search works', async () => {
  const model = written('long.onnx', {
    irVersion: 8,
    opsetImport: [{ domain: '', version: 17 }],
    graph: {
      name: 'g',
      node: [{ opType: 'Relu', name: `${'a'.repeat(40)}!`, input: ['x'], output: ['y'] }],
      input: [{ name: 'x' }],
    },
  });
  const { page, close } = await finding(model);
  await field(page).fill('/^(a+)+$/');
  await page.getByText('This expression is too slow').waitFor();
  await field(page).fill('/(/');
  await page.getByText(/Invalid regular expression/).waitFor();
  await field(page).fill('relu');
  await counted(page, '1 found');
  await close();
});

test.run();
