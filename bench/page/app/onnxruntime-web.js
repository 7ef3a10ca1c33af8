import * as api from '/onnxruntime-web/ort.wasm.bundle.min.mjs';
import { firstResult } from './first-result.js';

globalThis.outcome = firstResult(api);
