import * as sardonyx from 'sardonyx';
import jpeg from 'sardonyx/jpeg-decoder.wasm';
import * as tools from 'sardonyx/model';
import quantized from 'sardonyx/quantized.simd.wasm';
import kernels from 'sardonyx/sardonyx.simd.wasm';
import webp from 'sardonyx/webp-decoder.wasm';
import { outcome } from './conformance.js';
import suite from './suite.zip';

const modules = {
  'sardonyx.simd.wasm': kernels,
  'quantized.simd.wasm': quantized,
  'jpeg-decoder.wasm': jpeg,
  'webp-decoder.wasm': webp,
};
// One of a function's binaries is chosen by its name.
sardonyx.env.wasm.variant = 'simd';
sardonyx.env.wasm.source = (name) => modules[name];

export default {
  async test() {
    console.log(JSON.stringify(await outcome(tools, sardonyx, suite)));
  },
};
