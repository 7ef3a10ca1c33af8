// Sardonyx under the names and options of onnxruntime-web: docs/onnxruntime.md.
import * as ort from './interface.js';

export * from './interface.js';
export default ort;
