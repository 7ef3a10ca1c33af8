// A language model in one runtime, in a process of its own: receives a job, sends a report.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { InferenceSession, Results, Tensor } from '../../src/index.js';
import { writeSafetensors } from '../../src/session/state/safetensors.js';
import { peakMegabytes } from '../../test/peak-memory.js';
import { type Api, load, type RuntimeName, runtime, watchWebAssembly } from '../runtimes.js';
import { serve } from '../serve.js';
import { median } from '../statistics.js';

export interface Job {
  readonly runtime: RuntimeName;
  readonly model: string;
  readonly variant: string;
  readonly threads: number;
  readonly vocabulary: number;
  /** Heads and entries of the empty caches. */
  readonly sharedHeads: number;
  readonly size: number;
  readonly prompt: number;
  readonly tokens: number;
  /** Length of the prompt whose first token is timed. */
  readonly longPrompt: number;
  /** Cache lengths at which one token is timed. */
  readonly cached: readonly number[];
  /** The type of KV caches in a state of Sardonyx; if left out, outputs are fed back. */
  readonly state?: 'float32' | 'float16' | 'int8';
  /** Ends a loop after this time, with the tokens so far. */
  readonly seconds: number;
}

export interface Report {
  readonly witness: string;
  readonly loading: number;
  readonly tokensPerSecond: number;
  /** Number of tokens that the rate was measured on. */
  readonly tokens: readonly number[];
  readonly firstToken: number;
  /** Milliseconds of one token at each length; undefined where reaching the length would take too long. */
  readonly cached: readonly (number | undefined)[];
  /** Megabytes, after `tokens`. */
  readonly resident: number;
}

type Feeds = Record<string, Tensor>;

async function work(job: Job): Promise<Report> {
  watchWebAssembly();
  const { options, configure, witness } = runtime(job.runtime);
  const api = await load(job.runtime);
  configure?.(api, job.variant, job.threads);
  const started = performance.now();
  const session = await create(api, job, options(job.threads));
  const loading = performance.now() - started;
  const speaker = new Speaker(api, session, job);
  const spoken = await speaker.speak(job.prompt, job.tokens);
  const resident = peakMegabytes();
  const firstToken = (await speaker.speak(job.longPrompt, 1)).first;
  const cached: number[] = [];
  for (const length of job.cached) cached.push(await speaker.oneToken(length));
  const { tokens, tokensPerSecond } = spoken;
  return { witness: witness?.(job.variant) ?? '', loading, tokens, tokensPerSecond, firstToken, cached, resident };
}

/** onnxruntime-web takes bytes; the others load external data from beside the model. */
function create(api: Api, { runtime, model }: Job, options: object): Promise<InferenceSession> {
  if (runtime !== 'onnxruntime-web') return api.InferenceSession.create(model, options);
  const files = [`${model}_data`, ...Array.from({ length: 20 }, (_, i) => `${model}_data_${i + 1}`)].filter(existsSync);
  const externalData = files.map((path) => ({ path: basename(path), data: readFileSync(path) }));
  return api.InferenceSession.create(readFileSync(model), { ...options, externalData } as never);
}

/** A plain decoding loop: the `present` outputs of a run are the `past` inputs of the next. */
class Speaker {
  constructor(
    private readonly api: Api,
    private readonly session: InferenceSession,
    private readonly job: Job,
  ) {}

  async speak(prompt: number, count: number) {
    const { vocabulary, seconds } = this.job;
    let ids = Array.from({ length: prompt }, (_, i) => 3 + ((i * 7919) % (vocabulary - 3)));
    const memory = this.memory(0);
    const tokens: number[] = [];
    const started = performance.now();
    let first = 0;
    for (let length = prompt; tokens.length < count; length++) {
      const results = await memory.run(this.feeds(ids, length));
      if (tokens.length === 0) first = performance.now() - started;
      const next = this.best(results.logits as Tensor);
      tokens.push(next);
      ids = [next];
      if (performance.now() - started - first > seconds * 1000) break;
    }
    const others = performance.now() - started - first;
    memory.release();
    return { tokens, first, tokensPerSecond: ((tokens.length - 1) / others) * 1000 };
  }

  /** The median of a few tokens after `length` others. */
  async oneToken(length: number): Promise<number> {
    const memory = this.memory(length);
    const times: number[] = [];
    const end = performance.now() + this.job.seconds * 1000;
    for (let i = 1; i <= 12; i++) {
      const started = performance.now();
      const results = await memory.run(this.feeds([5], length + i));
      this.best(results.logits as Tensor);
      times.push(performance.now() - started);
      if (performance.now() > end) break;
    }
    memory.release();
    return median(times.slice(times.length > 4 ? 2 : 0));
  }

  /** KV caches carried from run to run, starting with `length` tokens. */
  private memory(length: number) {
    const { state: type } = this.job;
    let caches = this.caches(length);
    if (!type)
      return {
        run: async (feeds: Feeds) => {
          const results = await this.session.run({ ...feeds, ...caches });
          caches = pasts(results);
          return results;
        },
        release() {},
      };
    const state = this.session.createState({ type, capacity: length });
    if (length > 0) state.load(writeSafetensors(new Map(Object.entries(caches))));
    return { run: (feeds: Feeds) => this.session.run(feeds, { state }), release: () => state.release() };
  }

  private feeds(ids: readonly number[], length: number): Feeds {
    const { Tensor } = this.api;
    const row = (values: readonly number[]) =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const positions = ids.map((_, i) => length - ids.length + i);
    return {
      input_ids: row(ids),
      attention_mask: new Tensor('int64', new BigInt64Array(length).fill(1n), [1, length]),
      ...(this.session.inputNames.includes('position_ids') && { position_ids: row(positions) }),
    };
  }

  private caches(length: number): Feeds {
    const { sharedHeads, size } = this.job;
    const names = this.session.inputNames.filter((name) => name.startsWith('past_key_values.'));
    const data = () => Float32Array.from({ length: sharedHeads * length * size }, (_, i) => Math.sin(i));
    return Object.fromEntries(
      names.map((name) => [name, new this.api.Tensor('float32', data(), [1, sharedHeads, length, size])]),
    );
  }

  private best({ data }: Tensor): number {
    const { vocabulary } = this.job;
    const last = (data as Float32Array).subarray(-vocabulary);
    let best = 0;
    for (let i = 1; i < vocabulary; i++) if ((last[i] as number) > (last[best] as number)) best = i;
    if (!Number.isFinite(last[best])) throw new Error('the logits are not finite');
    return best;
  }
}

const pasts = (results: Results): Feeds =>
  Object.fromEntries(
    Object.entries(results)
      .filter(([name]) => name.startsWith('present.'))
      .map(([name, value]) => [name.replace('present.', 'past_key_values.'), value as Tensor]),
  );

serve(work);
