import * as api from '/node_modules/sardonyx/dist/index.js';
import * as worker from '/node_modules/sardonyx/dist/worker.js';
import { check } from './check.js';
import { fetchExample, threads } from './example.js';

const outcome = await check(api, '/model.onnx', await fetchExample(), threads);
const { error } = await check(worker, 'model.onnx', await fetchExample(), 0);
postMessage({ ...outcome, error: Math.max(outcome.error, error) });
