// Two threads compared with one over the first 20 runs of `for (…) await session.run(feeds)`, and over the same with turns of the event
// loop between runs: npm run bench:loop -- [--model mobilenet_v2] [--threads 2] [--rounds 9] [--hosts Node,page] [--models DIR]
// [--markdown]. Uses the packed package, each time in a new process or page.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { type Browser, chromium } from '../../test/platforms/chromium.js';
import { packedPackage } from '../../test/platforms/packed-package.js';
import { serve } from '../../test/platforms/site.js';
import { fromCaller } from '../command-line.js';
import { modelFolder } from '../model-folders.js';
import { open } from '../page/visit.js';
import { median } from '../statistics.js';
import { asMarkdown, asText, figure } from '../tables.js';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'mobilenet_v2' },
    threads: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '9' },
    hosts: { type: 'string', default: 'Node,page' },
    models: { type: 'string', multiple: true, default: [] },
    markdown: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const threads = Number(values.threads);

interface Outcome {
  readonly create: number;
  readonly runs: readonly number[];
  readonly threads: number;
}

interface Way {
  readonly name: string;
  readonly threads: number;
  readonly turns: boolean;
}

const ALONE: Way = { name: 'one thread', threads: 1, turns: false };
const PLAIN: Way = { name: `${threads} threads`, threads, turns: false };
const TURNS: Way = { name: `${threads} threads, turns between runs`, threads, turns: true };
const WAYS = [ALONE, PLAIN, TURNS];

const { folder } = packedPackage();
cpSync(fileURLToPath(new URL('app', import.meta.url)), folder, { recursive: true });
const model = join(folder, 'looped.onnx');
cpSync(join(modelFolder(values.model, values.models.map(fromCaller)), 'model.onnx'), model);
const site = await serve(folder);

async function inNode(way: Way): Promise<Outcome> {
  const args = ['loop-in-node.mjs', model, String(way.threads), String(way.turns)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return JSON.parse(stdout);
}

async function inPage(browser: Browser, way: Way): Promise<Outcome> {
  const page = await browser.newPage();
  const asked = `threads=${way.threads}${way.turns ? '&turns' : ''}`;
  try {
    return await open<Outcome>(page, `${site.address}/page?script=loop-in-page.js&policy=isolated&${asked}`);
  } finally {
    await page.close();
  }
}

/** Alternates between ways, so that slow changes of the machine affect all alike; the first round warms up caches. */
async function measure(once: (way: Way) => Promise<Outcome>): Promise<ReadonlyMap<Way, readonly Outcome[]>> {
  const found = new Map<Way, Outcome[]>(WAYS.map((way) => [way, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [way, outcomes] of found) {
      const outcome = await once(way);
      if (outcome.threads !== way.threads) throw new Error(`${way.name}: ${outcome.threads} worked`);
      if (round > 0) outcomes.push(outcome);
    }
  return found;
}

const HOSTS: Readonly<Record<string, () => Promise<ReadonlyMap<Way, readonly Outcome[]>>>> = {
  Node: () => measure(inNode),
  page: async () => {
    const launch = chromium();
    if (!launch) throw new Error('there is no Chromium, or nothing to drive it with');
    const browser = await launch();
    return measure((way) => inPage(browser, way)).finally(() => browser.close());
  },
};

const sum = (times: readonly number[]) => times.reduce((total, time) => total + time, 0);

/** The sum of each run's minimum over all rounds, which excludes most of the time that other processes take. */
const atBest = (outcomes: readonly Outcome[]) =>
  sum((outcomes[0] as Outcome).runs.map((_, run) => Math.min(...outcomes.map(({ runs }) => runs[run] as number))));
const typical = (outcomes: readonly Outcome[]) => median(outcomes.map(({ runs }) => sum(runs)));

const spread = (of: (outcome: Outcome) => number) => (outcomes: readonly Outcome[]) =>
  `${figure(median(outcomes.map(of)))} (${figure(Math.min(...outcomes.map(of)))})`;

const COLUMNS: readonly (readonly [title: string, cell: (outcomes: readonly Outcome[]) => string])[] = [
  ['create', spread(({ create }) => create)],
  ['first run', spread(({ runs }) => runs[0] as number)],
  ['second', spread(({ runs }) => runs[1] as number)],
  ['third to last, each', spread(({ runs }) => median(runs.slice(2)))],
  ['all 20', spread(({ runs }) => sum(runs))],
  ['each at its least', (outcomes) => figure(atBest(outcomes))],
];

for (const host of values.hosts.split(',')) {
  const outcomes = await HOSTS[host]?.();
  if (!outcomes) throw new Error(`--hosts are ${Object.keys(HOSTS).join(', ')}, not ${host}`);
  const of = (way: Way) => outcomes.get(way) ?? [];
  const table = {
    title: `${values.model} in ${host === 'page' ? 'an isolated page' : host}, ms: median of ${rounds} (least)`,
    header: ['', ...COLUMNS.map(([title]) => title)],
    rows: WAYS.map((way) => [way.name, ...COLUMNS.map(([, cell]) => cell(of(way)))]),
  };
  const gain = (way: Way) =>
    [typical, atBest].map((time) => figure(time(of(ALONE)) / time(of(way)))).join(', each run at its least ');
  console.log(values.markdown ? asMarkdown(table) : asText(table));
  console.log(`${threads} threads over one: ${gain(PLAIN)}; with turns between runs ${gain(TURNS)}\n`);
}
site.close();
