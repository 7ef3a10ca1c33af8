// Sardonyx under the names and options of onnxruntime-web: docs/onnxruntime.md.
import * as ort from './interface.js';

export * from './interface.js';
/** Everything that this module exports, as in `import ort from 'onnxruntime-web'`. */
export default ort;
