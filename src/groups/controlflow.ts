// Control flow.
export * from '../ops/onnx/controlflow/if.js';
export * from '../ops/onnx/controlflow/loop.js';
export * from '../ops/onnx/controlflow/scan.js';
