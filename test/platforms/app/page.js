import * as api from '/node_modules/sardonyx/dist/index.js';
import { check } from './check.js';
import { fetchExample, threads } from './example.js';

const workerUrl = new URLSearchParams(location.search).get('workerUrl');
if (workerUrl) api.env.wasm.workerUrl = workerUrl;
globalThis.outcome = fetchExample().then((example) => check(api, 'model.onnx', example, threads));
