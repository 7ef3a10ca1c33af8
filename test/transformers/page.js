// A page's script, bundled for Sardonyx to take the place of onnxruntime-web.
import { runPipelines } from './pipelines.js';

const device = globalThis[Symbol.for('onnxruntime')] && 'auto';
globalThis.finished = runPipelines('/models/', device);
