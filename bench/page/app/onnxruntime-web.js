import * as api from 'onnxruntime-web/wasm';
import { firstResult } from './first-result.js';

globalThis.outcome = firstResult(api);
