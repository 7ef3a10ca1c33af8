import * as api from 'sardonyx';
import { check } from './check.js';
import { fetchExample, threads } from './example.js';

globalThis.outcome = fetchExample().then((example) => check(api, '/model.onnx', example, threads));
