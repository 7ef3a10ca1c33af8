// Works for hours with all models at hand, on sessions of all kinds, with aborts, renewals, wrong feeds, damaged and missing
// models and a cache, checks every result, and watches memory, handles and latencies:
// npm run soak -- [--hours 1] [--minutes 0] [--seed 1] [--lanes 3] [--out FOLDER, a new one if left out]
// Ends with code 1 where a result was wrong, or an error had no code or one that it should not have.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fromCaller } from '../../bench/command-line.js';
import { figure } from '../../bench/tables.js';
import { randomly } from '../session/run-model.js';
import { ACTIVITIES, type World } from './activities.js';
import { Gate } from './gate.js';
import { watchMemories } from './memories.js';
import { openSessions } from './open-sessions.js';
import { print, type Settings, write } from './report.js';
import { type Sample, sample } from './sample.js';
import { serveSubjects } from './server.js';
import { subjects } from './subjects.js';
import { Tally } from './tally.js';

const SAMPLE_EVERY_MS = 10_000;
const WRITE_EVERY = 6;

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
const settings: Settings = {
  minutes: values.hours || values.minutes ? 60 * Number(values.hours ?? 0) + Number(values.minutes ?? 0) : 60,
  seed: Number(values.seed),
  out: values.out ? fromCaller(values.out) : mkdtempSync(join(tmpdir(), 'soak-')),
};
mkdirSync(settings.out, { recursive: true });

const tally = new Tally();
process.on('unhandledRejection', (error) => tally.fault('untyped', `unhandled: ${(error as Error)?.stack ?? error}`));
process.on('uncaughtException', (error) => tally.fault('untyped', `uncaught: ${error.stack}`));
process.on('warning', (warning) => tally.fault('warnings', `${warning.stack ?? warning}`));
console.warn = () => tally.warned++;

const SUM = Object.values(ACTIVITIES).reduce((sum, { weight }) => sum + weight, 0);

function draw(random: () => number): string {
  let left = random() * SUM;
  for (const [name, { weight }] of Object.entries(ACTIVITIES)) {
    left -= weight;
    if (left < 0) return name;
  }
  return 'rest';
}

async function act(world: World): Promise<void> {
  const name = draw(world.random);
  const { codes, do: act } = ACTIVITIES[name] as (typeof ACTIVITIES)[string];
  try {
    await act(world);
  } catch (error) {
    tally.failed(name, error, codes);
  }
  tally.did(name);
}

const folder = mkdtempSync(join(tmpdir(), 'soak-models-'));
watchMemories();
const all = subjects(folder);
const server = await serveSubjects(all);
const base = `${server.url}/`;
const filling = performance.now();
const sessions = await openSessions(all, base);
console.log(
  `seed ${settings.seed}, ${figure(settings.minutes)} minutes, ${sessions.length} sessions open after ${figure((performance.now() - filling) / 1000)} s; figures go to ${settings.out}`,
);

const begin = performance.now();
const end = begin + settings.minutes * 60_000;
const gate = new Gate();
const samples: Sample[] = [];

async function lane(index: number): Promise<void> {
  const own = join(folder, `cache-${index}`);
  const world = { sessions, subjects: all, base, tally, folder: own, random: randomly(settings.seed + 1 + index) };
  while (performance.now() < end) await gate.pass(() => act(world));
}

function show({ minutes, resident, heap, linear, handles, threads, p50, p99, runs, faults }: Sample): void {
  const memory = `${figure(resident)} MiB resident, heap ${figure(heap)}, linear ${figure(linear)}`;
  const rest = `${handles} handles, ${threads} threads, p50 ${figure(p50)} ms, p99 ${figure(p99)} ms`;
  console.log(`${minutes.toFixed(1)} min: ${memory}, ${rest}, ${runs} runs, ${faults} faults`);
}

async function watch(): Promise<void> {
  while (performance.now() < end) {
    await sleep(Math.min(SAMPLE_EVERY_MS, Math.max(0, end - performance.now())));
    const read = await gate.alone(() => sample(begin, tally));
    samples.push(read);
    show(read);
    server.requests.length = 0;
    if (samples.length % WRITE_EVERY === 0) write(settings, samples, tally);
  }
}

await Promise.all([watch(), ...Array.from({ length: Number(values.lanes) }, (_, index) => lane(index))]);
await Promise.all(sessions.map(({ session }) => session.release()));
await server.close();
rmSync(folder, { recursive: true });
write(settings, samples, tally);
print(settings, samples, tally);
if (Object.values(tally.faults).some((count) => count > 0)) process.exitCode = 1;
