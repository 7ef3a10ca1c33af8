import * as api from '/node_modules/sardonyx/dist/index.js';
import { check } from './check.js';
import { fetchExample, threads } from './example.js';

const outcome = await check(api, '/model.onnx', await fetchExample(), threads);
postMessage(outcome);
