// Drops mutated models on the page, one after the other: each is drawn or rejected with a message that names a place, the page keeps
// working, and no text from names or documentation becomes an element. Drawn models are checked; every RUN_EVERYth is run, too.
// usage: npm run studio:build && node --import tsx bench/studio/mutants.ts [COUNT] [FIRST SEED] [FOLDER OF A BUILT PAGE]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveStudio } from '../../studio/server.js';
import { sharedFolder } from '../../test/shared-data.js';
import { notedModel } from '../../test/studio/details-model.js';
import { type Mutant, mutantOf } from '../../test/studio/mutants.js';
import { launch, type Page, PLAIN_DIALOGS } from '../../test/studio/studio-page.js';

const [count, first] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 0)];
const folder = process.argv[4];
const RUN_EVERY = 25;
/** A page that does not respond for this many milliseconds is considered dead. */
const PATIENCE = 20_000;
/** Failures that are printed immediately; others are counted. */
const SHOWN = 100;

const CASES = [
  'node/test_if_seq',
  'node/test_loop16_seq_none',
  'node/test_scan9_sum',
  'node/test_sequence_map_add_2_sequences',
];

function sources(): Record<string, Uint8Array> {
  const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));
  const read = (paths: readonly string[]) => paths.map((path) => [path.split('/').at(-2) ?? path, readFileSync(path)]);
  const [models, tests] = [sharedFolder('models'), sharedFolder('onnx-backend-tests')];
  return Object.fromEntries([
    ...read([digits]),
    ['noted', readFileSync(notedModel())],
    ...(models ? read(['iris_pipeline_trained', 'gbdt_trained'].map((name) => `${models}/${name}/model.onnx`)) : []),
    ...(tests ? read(CASES.map((name) => `${tests}/${name}/model.onnx`)) : []),
  ]);
}

interface Outcome {
  /** The page's messages. */
  readonly messages: readonly string[];
  /** The checker's errors, by their places; undefined if the model was not drawn. */
  readonly issues: readonly string[] | undefined;
  /** Number of elements that should have been text. */
  readonly executed: number;
}

interface Given {
  readonly name: string;
  readonly text: string;
  readonly isRun: boolean;
}

/** In the page: drops a file, and waits until the page is idle. */
async function dropInPage({ name, text, isRun }: Given): Promise<Outcome> {
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const pause = () => new Promise((resolve) => setTimeout(resolve, 8));
  const settled = async () => {
    for (let quiet = 0; quiet < 3; quiet = document.querySelector('header progress') ? 0 : quiet + 1) await pause();
  };
  const open = async (title: string) => {
    const tab = all('[role=tab]').find((each) => each.textContent === title);
    if (tab?.getAttribute('aria-selected') === 'false') tab.click();
    await settled();
  };
  await open('Edit');
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
  await settled();
  const isDrawn = document.title.startsWith(name);
  const issues = isDrawn ? all('.issues p').map((each) => each.textContent ?? '') : undefined;
  if (isDrawn && isRun) {
    await open('Run');
    for (let i = 0; i < 200 && !document.querySelector('#panel-run button.primary'); i++) await pause();
    document.querySelector<HTMLElement>('#panel-run button.primary:enabled')?.click();
    await settled();
  }
  const messages = all('[role=log] .notice').map((each) => each.innerText);
  for (const button of all('[role=log] [aria-label=Dismiss]')) button.click();
  const executed = all('[onerror], img[src=x], body script').length + ('caught' in window ? 1 : 0);
  return { messages, issues, executed };
}

const inTime = <T>(work: Promise<T>, of: string): Promise<T> => {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${of}: the page says nothing for ${PATIENCE / 1000} s`)), PATIENCE);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** Places that error messages name: bytes, paths, nodes, values, attributes, quoted names. */
const PLACE = /\bbyte \d|\[\d+\]|"[^"]*"|\bgraph\b|\bnode \d|\bopset|\bIR version|empty \(0 bytes\)/;
const shapeOf = (message: string): string =>
  message
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\d+/g, 'N')
    .slice(0, 150);

const tally = new Map<string, { count: number; example: string }>();
const counted = { drawn: 0, refused: 0, withIssues: 0, run: 0 };
const failures: string[] = [];

function fail(what: string): void {
  failures.push(what);
  if (failures.length <= SHOWN) console.log(`FAILURE ${what.replaceAll(/\s+/g, ' ').slice(0, 400)}`);
}

function judge({ name }: Mutant, { messages, issues, executed }: Outcome, isRun: boolean): void {
  if (issues) counted.drawn++;
  else counted.refused++;
  if (issues?.length) counted.withIssues++;
  if (issues && isRun) counted.run++;
  if (!issues && messages.length === 0) fail(`${name}: neither drawn nor refused`);
  if (executed > 0) fail(`${name}: names or documentation became elements`);
  for (const path of issues ?? []) if (path.trim() === '') fail(`${name}: an issue without a place`);
  for (const message of messages) {
    const shape = shapeOf(message.replaceAll(name, 'NAME'));
    const detail = message.replaceAll(name, '');
    if (!PLACE.test(detail)) fail(`${name}: no place in ${JSON.stringify(message)}`);
    const known = tally.get(shape) ?? { count: 0, example: message };
    tally.set(shape, { ...known, count: known.count + 1 });
  }
}

async function openPage(address: string, problems: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.addInitScript(PLAIN_DIALOGS);
  // esbuild, with which tsx loads this file, records function names with this call.
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.goto(address);
  await page.getByRole('banner').waitFor();
  return page;
}

const models = sources();
const browser = await launch();
const server = await serveStudio(folder ? { page: folder } : {});
const problems: string[] = [];
let page = await openPage(server.address, problems);
const begun = performance.now();
for (let seed = first; seed < first + count; seed++) {
  const mutant = mutantOf(seed, models);
  const isRun = seed % RUN_EVERY === 0;
  const given = { name: mutant.name, text: Buffer.from(mutant.bytes).toString('base64'), isRun };
  try {
    judge(mutant, await inTime(page.evaluate(dropInPage, given), mutant.name), isRun);
  } catch (error) {
    fail(`${mutant.name}: ${(error as Error).message}`);
    await page
      .context()
      .close()
      .catch(() => {});
    page = await openPage(server.address, problems);
  }
  for (const problem of problems.splice(0)) fail(`${mutant.name}: ${problem}`);
  if ((seed - first + 1) % 100 === 0)
    console.log(
      `${seed - first + 1}: ${((performance.now() - begun) / 1000).toFixed(0)} s, ${failures.length} failures`,
    );
}
for (const [shape, { count, example }] of [...tally].sort((a, b) => b[1].count - a[1].count))
  console.log(`${count}× ${shape}${count === 1 ? ` e.g. ${example.replaceAll(/\s+/g, ' ').slice(0, 300)}` : ''}`);
console.log(JSON.stringify({ count, first, ...counted, failures: failures.length }));
await browser.close();
await server.close();
process.exit(failures.length > 0 ? 1 : 0);
