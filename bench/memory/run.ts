// Peak memory of a model with 1.9 GB of external data, to its first result, from a path, from a URL, and in a page (Chromium on Linux):
// docs/benchmarks.md. npm run bench:memory -- [--node 24] [--threads 1] [--ways path,URL,page] [--markdown]
import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from '../../test/platforms/chromium.js';
import { serve } from '../../test/platforms/site.js';
import { nodeBinary } from '../environment.js';
import { peakResident } from '../page/renderer.js';
import { inNewBrowser } from '../page/visit.js';
import { bundle, inOwnProcess } from '../processes.js';
import { asMarkdown, asText, figure } from '../tables.js';
import type { Job, Report } from './load.js';
import { LAST, largeModel, WIDTH } from './models.js';

const { values } = parseArgs({
  options: {
    node: { type: 'string' },
    threads: { type: 'string', default: '1' },
    ways: { type: 'string', default: 'path,URL,page' },
    markdown: { type: 'boolean', default: false },
  },
});

const MEBIBYTE = 2 ** 20;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { folder, bytes } = largeModel();

function sendFile({ url, method }: IncomingMessage, response: ServerResponse): void {
  const file = join(folder, (url as string).split('/').at(-1) as string);
  response.writeHead(200, { 'content-length': statSync(file).size, 'cache-control': 'no-store' });
  if (method === 'HEAD') response.end();
  else createReadStream(file, { highWaterMark: MEBIBYTE }).pipe(response);
}

const site = await serve(ROOT, { '/large/': sendFile });
const url = `${site.address}/large/model.onnx`;

const inNode = (source: string) =>
  inOwnProcess<Job, Report>(
    { source, threads: Number(values.threads), width: WIDTH },
    { program: 'load', node: nodeBinary(values.node), timeLimit: 600_000 },
  );

async function inPage(): Promise<Report> {
  const launch = chromium();
  if (!launch) throw new Error('there is no Chromium, or nothing to drive it with');
  return inNewBrowser(launch, async (browser) => {
    const page = await browser.newPage();
    await page.goto(`${site.address}/page?script=/bench/memory/page.js&policy=none`);
    const before = await peakResident(browser);
    const outcome = await page.evaluate<Omit<Report, 'before' | 'peak'>>(`globalThis.load('${url}', ${WIDTH})`);
    return { ...outcome, before: before / MEBIBYTE, peak: (await peakResident(browser)) / MEBIBYTE };
  });
}

const WAYS: Readonly<Record<string, () => Promise<Report>>> = {
  path: () => inNode(join(folder, 'model.onnx')),
  URL: () => inNode(url),
  page: inPage,
};

await bundle(['memory/load']);
const weights = bytes / MEBIBYTE;
const rows: string[][] = [];
for (const way of values.ways.split(',')) {
  const measure = WAYS[way];
  if (!measure) throw new Error(`--ways are ${Object.keys(WAYS)}, not ${way}`);
  const { before, peak, linearMemory, seconds, last } = await measure();
  if (last !== LAST) throw new Error(`from a ${way}: ${last} in place of ${LAST}`);
  rows.push([
    ...[way, ...[before, peak, linearMemory].map((megabytes) => megabytes.toFixed(0)), figure(seconds)],
    ...[(peak / weights).toFixed(3), ((peak - before) / weights).toFixed(3)],
  ]);
  console.error(rows.at(-1)?.join(' '));
}
site.close();
const table = {
  title: `A model of ${weights.toFixed(0)} MiB in external data, up to its first result: MiB and s`,
  header: ['from a', 'before', 'peak', 'linear memory', 's', 'peak / weights', 'less what was before'],
  rows,
};
console.log(values.markdown ? asMarkdown(table) : asText(table));
