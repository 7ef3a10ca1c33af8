import { readFileSync } from 'node:fs';
import * as api from 'sardonyx';
import { cached, list } from 'sardonyx/cache';
import * as pool from 'sardonyx/pool';
import * as worker from 'sardonyx/worker';
import { check, pooled } from './check.js';

const read = (name) => JSON.parse(readFileSync(name, 'utf8'));
const [site, folder] = process.argv.slice(2);

/** Stopped before the run and during it, then run to the end. */
async function stopped({ InferenceSession, Tensor }) {
  const { input } = example;
  const feeds = { [input.name]: new Tensor('float32', Float32Array.from(input.data), input.dims) };
  const session = await InferenceSession.create('model.onnx');
  const codeOf = (run) =>
    run.then(
      () => 'none',
      ({ code }) => code,
    );
  const early = await codeOf(session.run(feeds, { signal: AbortSignal.abort() }));
  const loading = await codeOf(InferenceSession.create('model.onnx', { signal: AbortSignal.abort() }));
  await session.run(feeds, { signal: AbortSignal.timeout(60_000) });
  await session.release();
  return [early, loading];
}

async function keptIn(folder) {
  const model = await cached(`${site}/model.onnx`, { folder });
  const { error } = await check(api, model, example, 1);
  await check(worker, await cached(`${site}/model.onnx`, { folder }), example, 1);
  return { error, files: (await list({ folder })).length };
}

const example = read('model.json');
/** Last: from its import on, all sessions have its kernels. */
const inlined = async () => check(await import('sardonyx/inline'), readFileSync('model.onnx'), example, 1);

const outcomes = {
  path: await check(api, 'model.onnx', example, 1),
  threads: await check(api, new URL('model.onnx', import.meta.url), example, 2),
  rare: await check(api, 'rare.onnx', read('rare.json'), 1),
  external: await check(api, 'external.onnx', read('external.json'), 1),
  worker: await check(worker, 'model.onnx', example, 2),
  pool: await check(pooled(pool), 'model.onnx', example),
  stopped: [await stopped(api), await stopped(worker)],
  kept: await keptIn(folder),
  inline: await inlined(),
};
console.log(JSON.stringify(outcomes));
