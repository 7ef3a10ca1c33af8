import { cpSync, createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { DecoderShape } from '../../test/layouts/decoder.js';
import { chromium } from '../../test/platforms/chromium.js';
import { serve } from '../../test/platforms/site.js';
import { peakMemory } from '../page/renderer.js';
import { inNewBrowser, open } from '../page/visit.js';
import { writeGguf } from './gguf.js';
import type { Job, Report } from './speak.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md */
interface Timings {
  readonly prompt_ms: number;
  readonly predicted_n: number;
  readonly predicted_per_second: number;
}

type Outcome =
  | { readonly error: string }
  | {
      readonly loading: number;
      readonly spoken: Timings;
      readonly long: Timings;
      readonly cached: readonly (number | null)[];
      readonly threads: number;
    };

/** Measures wllama on a model of this shape in Q4_0, in a Chromium of its own, with wllama's own timings. */
export async function speakWithWllama(path: string, shape: DecoderShape, job: Job): Promise<Report> {
  const launch = chromium();
  if (!launch) throw new Error('there is no Chromium, or nothing to drive it with');
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) writeGguf(path, shape);
  const folder = await siteFolder();
  const site = await serve(folder, {
    '/model.gguf': (_, response) => {
      response.writeHead(200, { 'content-length': statSync(path).size, 'cross-origin-resource-policy': 'same-origin' });
      createReadStream(path).pipe(response);
    },
  });
  try {
    return await inNewBrowser(launch, async (browser) => {
      const page = await browser.newPage();
      const address = `${site.address}/page?${queryOf(job)}`;
      const opened: { outcome?: Outcome } = {};
      const { own } = await peakMemory(browser, async () => {
        opened.outcome = await open<Outcome>(page, address);
      });
      return reportOf(opened.outcome as Outcome, own);
    });
  } finally {
    site.close();
    rmSync(folder, { recursive: true });
  }
}

async function siteFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-wllama-'));
  await build({
    ...{ bundle: true, format: 'esm', target: 'esnext', logLevel: 'error' },
    entryPoints: [here('app/wllama.js')],
    outfile: join(folder, 'wllama.js'),
    nodePaths: [here('../node_modules')],
  });
  cpSync(here('../node_modules/@wllama/wllama/esm/wasm/wllama.wasm'), join(folder, 'wllama.wasm'));
  return folder;
}

/** Filling the cache before a timed token may take as long as ten loops. Threads need a page that is isolated. */
const queryOf = ({ prompt, tokens, longPrompt, cached, threads, seconds }: Job) =>
  new URLSearchParams({
    ...{ script: 'wllama.js', policy: threads > 1 ? 'isolated' : 'none' },
    ...{ prompt: String(prompt), tokens: String(tokens), long: String(longPrompt), cached: cached.join() },
    ...{
      threads: String(threads),
      patience: String(10 * seconds),
      context: String(Math.max(longPrompt, prompt + tokens, ...cached) + 64),
    },
  });

function reportOf(outcome: Outcome, own: number): Report {
  if ('error' in outcome) throw new Error(`wllama: ${outcome.error}`);
  const { loading, spoken, long, cached, threads } = outcome;
  return {
    witness: `wasm in Chromium, ${threads} threads`,
    ...{
      loading,
      cached: cached.map((time) => time ?? undefined),
      tokens: [],
      tokensPerSecond: spoken.predicted_per_second,
      firstToken: long.prompt_ms,
    },
    resident: own / 2 ** 20,
  };
}
