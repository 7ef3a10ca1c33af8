// A page that runs wllama; `globalThis.outcome` becomes its own timings.
import { LoggerWithoutDebug, Wllama } from '@wllama/wllama';

const asked = new URL(location.href).searchParams;
const number = (name) => Number(asked.get(name));
/** A text of `length` tokens: the model's tokenizer only has bytes. */
const text = (length) => Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i * 7919) % 26))).join('');

async function speak() {
  const wllama = new Wllama({ default: '/wllama.wasm' }, { logger: LoggerWithoutDebug, suppressNativeLog: true });
  const started = performance.now();
  const model = await (await fetch('/model.gguf')).blob();
  await wllama.loadModel([model], {
    ...{ n_ctx: number('context'), n_batch: 512, n_threads: number('threads'), n_gpu_layers: 0 },
    ...{ cache_type_k: 'f32', cache_type_v: 'f32', n_parallel: 1, warmup: true },
  });
  const loading = performance.now() - started;
  const complete = async (prompt, tokens) =>
    (
      await wllama.createCompletion({
        ...{ prompt: text(prompt), max_tokens: tokens, temperature: 0, ignore_eos: true, cache_prompt: false },
        timings_per_token: true,
      })
    ).timings;
  const spoken = await complete(number('prompt'), number('tokens'));
  const long = await complete(number('long'), 1);
  // Here, cached tokens must be read first; lengths for which that takes too long are left out.
  const most = (1000 * number('patience') * number('long')) / long.prompt_ms;
  const cached = [];
  for (const length of (asked.get('cached') ?? '').split(',').filter(Boolean).map(Number))
    cached.push(length > most ? null : (await complete(length, 8)).predicted_per_token_ms);
  return { loading, spoken, long, cached, threads: wllama.getNumThreads() };
}

globalThis.outcome = speak().catch((error) => ({ error: String(error?.message ?? error) }));
