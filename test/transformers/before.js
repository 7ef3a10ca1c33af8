// Runs before transformers.js is loaded, and offers it Sardonyx.
import * as ort from 'sardonyx/onnxruntime';

globalThis[Symbol.for('onnxruntime')] = ort;
