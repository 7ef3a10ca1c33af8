// Language models in published sizes with seeded weights, compared with other runtimes, each in a process of its own, in turn:
// docs/benchmarks.md. npm run bench:language -- [--rows SmolLM2,Qwen] [--runtimes sardonyx,wllama] [--threads 1,2] [--tokens 128] [--cached
// 128,4096] [--seconds 60] [--rounds 1] [--dtype q4] [--state int8] [--node 24] [--markdown]
import { parseArgs } from 'node:util';
import type { Dtype } from '../../test/layouts/dtypes/index.js';
import { DECODERS } from '../../test/layouts/published.js';
import { environment, installPeers, nodeBinary } from '../environment.js';
import { bundle, inOwnProcess } from '../processes.js';
import type { RuntimeName } from '../runtimes.js';
import { median } from '../statistics.js';
import { asMarkdown, asText, figure } from '../tables.js';
import { besideModel, madeModel } from './models.js';
import type { Job, Report } from './speak.js';
import { speakWithWllama } from './wllama.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: 'SmolLM2-135M,Qwen2.5-0.5B' },
    runtimes: { type: 'string', default: 'sardonyx,onnxruntime-web,onnxruntime-node,wllama' },
    threads: { type: 'string', default: '1' },
    prompt: { type: 'string', default: '128' },
    tokens: { type: 'string', default: '128' },
    long: { type: 'string', default: '512' },
    cached: { type: 'string', default: '128,4096' },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '1' },
    dtype: { type: 'string', default: 'q4' },
    state: { type: 'string' },
    node: { type: 'string' },
    variant: { type: 'string', default: 'auto' },
    markdown: { type: 'boolean', default: false },
  },
});

type Peer = RuntimeName | 'wllama';

const TIME_LIMIT = 3_600_000;

const listed = (text: string) => text.split(',').filter(Boolean);
const cached = listed(values.cached).map(Number);
const node = nodeBinary(values.node);

interface Measured {
  readonly name: string;
  readonly peer: Peer;
  readonly threads: number;
  readonly megabytes: number;
  readonly reports: Report[];
  readonly failures: string[];
}

function rows(): Measured[] {
  const names = Object.keys(DECODERS).filter((name) => listed(values.rows).some((row) => name.startsWith(row)));
  return names.flatMap((name) =>
    listed(values.threads).flatMap((threads) =>
      (listed(values.runtimes) as Peer[]).map((peer) => ({
        ...{ name, peer, threads: Number(threads), reports: [], failures: [] },
        megabytes: madeModel(name, DECODERS[name as keyof typeof DECODERS], values.dtype as Dtype).bytes / 2 ** 20,
      })),
    ),
  );
}

async function measure({ name, peer, threads }: Measured): Promise<Report> {
  const shape = DECODERS[name as keyof typeof DECODERS];
  const { path: model } = madeModel(name, shape, values.dtype as Dtype);
  const { vocabulary, sharedHeads, size } = shape;
  const job = {
    ...{ model, variant: values.variant, threads, vocabulary, sharedHeads, size, cached },
    ...{ prompt: Number(values.prompt), tokens: Number(values.tokens), longPrompt: Number(values.long) },
    seconds: Number(values.seconds),
    // The type of KV caches in Sardonyx's state.
    ...(values.state && { state: values.state as 'int8' }),
  };
  if (peer === 'wllama')
    return speakWithWllama(besideModel(name, 'model-Q4_0.gguf'), shape, { ...job, runtime: 'sardonyx' });
  return inOwnProcess<Job, Report>({ ...job, runtime: peer }, { program: 'speak', node, timeLimit: TIME_LIMIT });
}

installPeers();
await bundle(['language/speak']);
const all = rows();
for (let round = 0; round < Number(values.rounds); round++)
  for (const row of all) {
    try {
      row.reports.push(await measure(row));
    } catch (error) {
      row.failures.push((error as Error).message);
    }
    console.error(`${row.name}, ${row.peer}: ${JSON.stringify(row.failures.at(-1) ?? row.reports.at(-1))}`);
  }

const of = ({ reports }: Measured, pick: (report: Report) => number | undefined) => {
  const found = reports.map(pick).filter((value) => value !== undefined);
  return found.length ? median(found) : undefined;
};

const table = {
  title: `${values.dtype}: ${values.tokens} tokens after a prompt of ${values.prompt}, the first after ${values.long}, one at ${cached.join(' and ')} cached`,
  header: [
    '',
    'runtime',
    'threads',
    'tokens/s',
    'first, s',
    ...cached.map((n) => `ms at ${n}`),
    'loading, s',
    'MiB',
    '/ weights',
  ],
  rows: all.map((row) => [
    ...[row.name, row.peer, String(row.threads), figure(of(row, ({ tokensPerSecond }) => tokensPerSecond))],
    figure(of(row, ({ firstToken }) => firstToken / 1000)),
    ...cached.map((_, i) => figure(of(row, (report) => report.cached[i]))),
    ...[figure(of(row, ({ loading }) => loading / 1000)), figure(of(row, ({ resident }) => resident))],
    figure(of(row, ({ resident }) => resident / row.megabytes)),
  ]),
};
const machine = environment(node);
console.log(
  [
    `${machine.cpu}, Node ${machine.node}, V8 ${machine.v8}, ${JSON.stringify(machine.versions)}`,
    '',
    values.markdown ? asMarkdown(table) : asText(table),
    ...all.flatMap(({ name, peer, failures }) => failures.map((failure) => `${name}, ${peer}: ${failure}`)),
  ].join('\n'),
);
