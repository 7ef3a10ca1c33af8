// Channels-first against channels-last, layer by layer, one thread: npm run bench:layout -- [--variant simd|relaxed]
// [--seconds 0.2] [--layers] [PART OF A NETWORK'S NAME]. No Winograd on either side, no epilogue but the bias.
import { parseArgs } from 'node:util';
import { newEngine, type Variant, variants } from '../kernels/measure.js';
import { asText, figure } from '../tables.js';
import { compile, prepare as prepareFirst, type Way, waysOf } from './channels-first-engine.js';
import { prepare as prepareLast } from './channels-last.js';
import { type Layer, networks } from './networks.js';
import { randomData, verify } from './verify.js';

const { values, positionals } = parseArgs({
  options: { variant: { type: 'string' }, seconds: { type: 'string' }, layers: { type: 'boolean' } },
  allowPositionals: true,
});
const budget = Number(values.seconds ?? 0.2) * 1000;

interface Timing {
  layer: Layer;
  nchw: number;
  nhwc: number;
  way: Way;
}

function time(run: () => void, count: number): number {
  const start = performance.now();
  for (let i = 0; i < count; i++) run();
  return (performance.now() - start) / count;
}

/** The least milliseconds per run of each, in batches long enough for the clock, one after the other in turn. */
function leastOf(runs: (() => void)[], budget: number): number[] {
  const counts = runs.map((run) => {
    const start = performance.now();
    let warmed = 0;
    for (; performance.now() - start < budget / 8 || warmed < 3; warmed++) run();
    return Math.max(1, Math.round((warmed / (performance.now() - start)) * 2));
  });
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  const start = performance.now();
  for (let round = 0; round < 5 || performance.now() - start < budget * runs.length; round++) {
    for (const [i, run] of runs.entries()) least[i] = Math.min(least[i] as number, time(run, counts[i] as number));
  }
  return least;
}

async function measure(variant: Variant, module: WebAssembly.Module, layer: Layer): Promise<Timing> {
  const first = prepareFirst(module, layer, randomData(layer));
  const ways = waysOf(layer);
  const trial = leastOf(
    ways.map((way) => () => first.run(way)),
    budget / 8,
  );
  const way = ways[trial.indexOf(Math.min(...trial))] as Way;
  const last = prepareLast(await newEngine(variant), layer);
  const [nchw, nhwc] = leastOf([() => first.run(way), last], budget) as [number, number];
  return { layer, nchw, nhwc, way };
}

const total = (timings: Timing[], side: 'nchw' | 'nhwc') =>
  timings.reduce((sum, timing) => sum + timing[side] * timing.layer.times, 0);

function rowOf(name: string, timings: Timing[]): string[] {
  const [nchw, nhwc] = [total(timings, 'nchw'), total(timings, 'nhwc')];
  return [name, figure(nchw), figure(nhwc), (nchw / nhwc).toFixed(2)];
}

function nameOf({ layer: { kernel, stride, channels, outChannels, size, times }, way }: Timing): string {
  return `  ${kernel}×${kernel}/${stride} ${channels}→${outChannels} @${size}² ×${times}, ${way.kernel} ${way.block}`;
}

for (const variant of (values.variant ? [values.variant] : variants()) as Variant[]) {
  const module = await compile(variant);
  verify(module);
  for (const [network, layers] of Object.entries(networks)) {
    if (!network.includes(positionals[0] ?? '')) continue;
    const timings: Timing[] = [];
    for (const layer of layers) timings.push(await measure(variant, module, layer));
    const rows = [rowOf('all convolutions', timings)];
    for (const kind of new Set(layers.map((layer) => layer.kind))) {
      const own = timings.filter(({ layer }) => layer.kind === kind);
      rows.push(rowOf(kind, own));
      if (values.layers) rows.push(...own.map((timing) => rowOf(nameOf(timing), [timing])));
    }
    console.log(
      `\n${asText({ title: `${network}, ${variant}`, header: ['', 'NCHW ms', 'NHWC ms', 'NCHW ÷ NHWC'], rows })}`,
    );
  }
}
