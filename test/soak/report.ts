import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asText, figure } from '../../bench/tables.js';
import { picture } from './picture.js';
import type { Sample } from './sample.js';
import { type Slope, slopeOf } from './slope.js';
import type { Tally } from './tally.js';

/** Heaps find their size, and code is compiled, before growth is looked for: so long, or a third of a shorter soak. */
const SETTLING_MINUTES = 10;

const MEMORY = ['resident', 'heap', 'code', 'external', 'arrayBuffers', 'linear'] as const;

export interface Settings {
  readonly minutes: number;
  readonly seed: number;
  readonly out: string;
}

export type Slopes = Readonly<Record<(typeof MEMORY)[number], Slope | null>>;

/** Growth in MiB an hour. */
export function slopes(samples: readonly Sample[], { minutes }: Settings): Slopes {
  const from = Math.min(SETTLING_MINUTES, minutes / 3);
  const settled = samples.filter((sample) => sample.minutes >= from);
  const of = (key: keyof Sample) => slopeOf(settled.map((sample) => ({ x: sample.minutes / 60, y: sample[key] })));
  return Object.fromEntries(MEMORY.map((key) => [key, of(key)])) as Slopes;
}

/** Writes the picture, and all figures as JSON. */
export function write(settings: Settings, samples: readonly Sample[], tally: Tally): void {
  const { latencies, done, expected, faults, notes, runs, aborts, warned } = tally;
  const quantiles = Object.fromEntries(
    Object.entries(latencies).map(([what, each]) => [
      what,
      { runs: each.count, p50: each.quantile(0.5), p99: each.quantile(0.99) },
    ]),
  );
  const { node, v8 } = process.versions;
  const about = { settings, node, v8, runs, aborts, warned, done, expected, faults, notes };
  const all = { ...about, slopes: slopes(samples, settings), latencies: quantiles, samples };
  writeFileSync(join(settings.out, 'soak.json'), `${JSON.stringify(all, null, 1)}\n`);
  writeFileSync(join(settings.out, 'soak.svg'), picture(samples));
}

export function print(settings: Settings, samples: readonly Sample[], tally: Tally): void {
  const rows = Object.entries(tally.latencies)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, each]) => [what, `${each.count}`, figure(each.quantile(0.5)), figure(each.quantile(0.99))]);
  console.log(asText({ title: 'Runs, ms', header: ['', 'runs', 'p50', 'p99'], rows }));
  const listed = (title: string, counts: Readonly<Record<string, number>>) =>
    console.log(
      `${title}: ${Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    );
  listed('\nDone', tally.done);
  listed('Errors as they should be', tally.expected);
  listed('Faults', tally.faults);
  const grown = Object.entries(slopes(samples, settings)).map(([key, slope]) => {
    const values = slope ? [slope.leastSquares, slope.standardError, slope.theilSen] : [];
    return [key, ...values.map((value) => value.toFixed(2))];
  });
  const title = `\nGrowth after the first ${figure(Math.min(SETTLING_MINUTES, settings.minutes / 3))} minutes, MiB an hour`;
  console.log(asText({ title, header: ['', 'least squares', '± (standard error)', 'Theil–Sen'], rows: grown }));
}
