import * as api from 'sardonyx/inline';
import { check } from './check.js';
import { fetchExample } from './example.js';

globalThis.outcome = fetchExample().then((example) => check(api, '/model.onnx', example, 1));
