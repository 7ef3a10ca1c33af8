// Pages in Chromium on Linux: time and memory to the first result compared with onnxruntime-web, and how long a session in a worker blocks
// its page: docs/benchmarks.md. npm run bench:page -- [--rounds 7] [--large resnet18] [--models DIR] [--markdown]
import { parseArgs } from 'node:util';
import { chromium } from '../../test/platforms/chromium.js';
import { fromCaller } from '../command-line.js';
import { installPeers } from '../environment.js';
import { median } from '../statistics.js';
import { asMarkdown, asText, figure, megabytes, type Table } from '../tables.js';
import { blocked } from './blocked.js';
import { type PeakMemory, peakMemory, processorTime } from './renderer.js';
import { pageSite } from './site.js';
import { inNewBrowser, type Network, open } from './visit.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    large: { type: 'string', default: 'resnet18' },
    models: { type: 'string', multiple: true, default: [] },
    markdown: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

const NETWORKS: readonly (readonly [name: string, network?: Network])[] = [
  ['localhost'],
  ['10 Mbit/s, 40 ms', { throughput: 10e6 / 8, latency: 40 }],
];

interface FirstResult {
  readonly milliseconds: number;
  readonly error: number;
}

/** All rounds of one page. */
class Measured {
  /** Milliseconds, by network. */
  readonly times = NETWORKS.map((): number[] => []);
  /** Processor milliseconds to the first result and shortly after. */
  readonly work: number[] = [];
  readonly memory: PeakMemory[] = [];
  /** Bytes of scripts and binaries, by path. */
  code = new Map<string, number>();
}

const pages = { sardonyx: new Measured(), 'onnxruntime-web': new Measured(), empty: new Measured() };

installPeers();
const launch = chromium();
if (!launch) throw new Error('there is no Chromium, or nothing to drive it with');
const site = await pageSite(values.large, values.models.map(fromCaller));

/** Each visit uses a new browser with an empty cache. Round 0 warms up the server and the disk cache. */
for (let round = 0; round <= rounds; round++)
  for (const [name, measured] of Object.entries(pages)) {
    const address = `${site.address}/page?script=${name}/page/${name}.js&policy=none`;
    for (const [i, [, network]] of NETWORKS.entries()) {
      site.loaded.clear();
      const [{ milliseconds, error }, work] = await inNewBrowser(launch, async (browser) => [
        await open<FirstResult>(await browser.newPage(), address, network),
        await processorTime(browser),
      ]);
      if (!(error <= 1e-5)) throw new Error(`${name} computes something else: ${error}`);
      if (round === 0) continue;
      measured.times[i]?.push(milliseconds);
      if (!network) measured.work.push(work);
    }
    measured.code = new Map([...site.loaded].filter(([path]) => /\/(sardonyx|onnxruntime-web)\//.test(path)));
    const memory = await inNewBrowser(launch, async (browser) => {
      const page = await browser.newPage();
      return peakMemory(browser, () => open(page, address));
    });
    if (round > 0) measured.memory.push(memory);
  }

const cases = await blocked(launch, site.address, rounds);
site.close();

const print = (table: Table) => console.log(`${values.markdown ? asMarkdown(table) : asText(table)}\n`);
const { sardonyx, 'onnxruntime-web': peer, empty } = pages;
const over = (of: (measured: Measured) => number) => figure(of(sardonyx) / of(peer));

print({
  title: `First result of the digits model, one thread, everything with gzip: ms since the navigation began, median and least of ${rounds}`,
  header: ['', ...NETWORKS.flatMap(([name]) => [name, 'least']), 'processor', 'kB of JS and WASM', 'files'],
  rows: [
    ...Object.entries(pages).map(([name, { times, work, code }]) => [
      name,
      ...times.flatMap((all) => [figure(median(all)), figure(Math.min(...all))]),
      figure(median(work)),
      figure([...code.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000),
      String(code.size),
    ]),
    [
      'sardonyx / web',
      ...NETWORKS.flatMap((_, i) => [
        over(({ times }) => median(times[i] as number[])),
        over(({ times }) => Math.min(...(times[i] as number[]))),
      ]),
      over(({ work }) => median(work)),
    ],
  ],
});

const MEMORY = ['resident', 'own'] as const;
const peak = ({ memory }: Measured, kind: keyof PeakMemory) => median(memory.map((found) => found[kind]));
const added = (measured: Measured, kind: keyof PeakMemory) => peak(measured, kind) - peak(empty, kind);
print({
  title: `Peak memory of the page's process in MiB, median of ${rounds}`,
  header: ['', ...MEMORY.flatMap((kind) => [kind, 'over empty'])],
  rows: [
    ...Object.entries(pages).map(([name, measured]) => [
      name,
      ...MEMORY.flatMap((kind) => [megabytes(peak(measured, kind)), megabytes(added(measured, kind))]),
    ]),
    [
      'sardonyx / web',
      ...MEMORY.flatMap((kind) => [over((page) => peak(page, kind)), over((page) => added(page, kind))]),
    ],
  ],
});

print({
  title: `The page's thread in ms, ${rounds} rounds; the large model is ${values.large}`,
  header: ['', 'longest time without a turn', 'least', 'longest task, processor time', 'most'],
  rows: [...cases].map(([name, { gaps, tasks }]) => [
    name,
    ...[median(gaps), Math.min(...gaps), median(tasks), Math.max(...tasks)].map(figure),
  ]),
});
