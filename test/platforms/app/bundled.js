import * as api from 'sardonyx';
import * as pool from 'sardonyx/pool';
import * as worker from 'sardonyx/worker';
import { check, pooled } from './check.js';
import { fetchExample, threads } from './example.js';

const outcome = async () => ({
  ...(await check(api, '/model.onnx', await fetchExample(), threads)),
  rare: await check(api, '/rare.onnx', await fetchExample('rare'), 1),
  worker: await check(worker, '/model.onnx', await fetchExample(), threads),
  pool: await check(pooled(pool), '/model.onnx', await fetchExample()),
});
globalThis.outcome = outcome();
