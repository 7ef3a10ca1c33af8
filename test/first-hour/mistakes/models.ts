import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/index.js';
import { InferenceSession as Compatible } from '../../../src/onnxruntime/index.js';
import type { Mistake } from './mistake.js';
import { classifier, encoder } from './networks.js';

const create = (model: Uint8Array, options?: object) => InferenceSession.create(model, options);

/** 24 layers of products with weights of 4 bits, and a custom operator in a branch. */
function quantized(): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1, 'my.own': 1 } });
  let x = b.input('x', 'float32', [1, 32]);
  for (let i = 0; i < 24; i++)
    x = b.op('PagedAttention', [x], { num_heads: 4 }, { domain: 'com.microsoft', name: `/layers.${i}/attn` });
  const condition = b.input('condition', 'bool', []);
  const branch = b.subgraph('then', (g) =>
    g.output('a', g.op('Secret', [x], {}, { domain: 'my.own', name: 'secret' })),
  );
  const other = b.subgraph('else', (g) => g.output('b', g.op('Relu', [x])));
  b.output('y', b.op('If', [condition], { then_branch: branch, else_branch: other }, { name: 'choice' }));
  return b.toBytes();
}

function oneNode(op: string, attributes: object = {}, opset = 21): Uint8Array {
  const b = modelBuilder({ opset, name: `one ${op}` });
  b.output('y', b.op(op, [b.input('x', 'float32', [2, 3])], attributes as never, { name: 'odd' }));
  return b.toBytes();
}

function normalization(): Uint8Array {
  const b = modelBuilder({ opset: 15 });
  const channels = ['scale', 'bias', 'mean', 'variance'].map((name) =>
    b.constant(name, tensor('float32', [3], [1, 1, 1])),
  );
  const x = b.input('x', 'float32', [1, 3, 2, 2]);
  b.output('y', b.op('BatchNormalization', [x, ...channels], { epsion: 1e-5 }, { name: 'bn1' }));
  return b.toBytes();
}

/** A property of the page, for as long as `work` takes. */
async function inPage(isolated: boolean, work: () => Promise<unknown>): Promise<unknown> {
  Object.defineProperty(globalThis, 'crossOriginIsolated', { value: isolated, configurable: true });
  try {
    return await work();
  } finally {
    delete (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated;
  }
}

export const models: readonly Mistake[] = [
  {
    who: 'takes the file that was made for another device',
    gets: 'UNSUPPORTED_OPERATOR',
    wrong: /com\.microsoft: PagedAttention \(×24, .*my\.own: Secret \(×1/,
    where: /first "\/layers\.0\/attn".*first "secret" in then_branch of If "choice"/,
    remedy: /Sardonyx supports ai\.onnx, ai\.onnx\.ml, .*a model that was exported for CPUs/,
    by: () => create(quantized()),
  },
  {
    who: 'has a custom operator',
    gets: 'UNSUPPORTED_OPERATOR',
    wrong: /ai\.onnx: Frobnicate/,
    where: /"odd"/,
    remedy: /check the name, domain and opset/,
    by: () => create(oneNode('Frobnicate')),
  },
  {
    who: 'misspells an operator',
    gets: 'UNSUPPORTED_OPERATOR',
    wrong: /ai\.onnx: Relo/,
    where: /"odd"/,
    remedy: /did you mean "Relu"\?/,
    by: () => create(oneNode('Relo')),
  },
  {
    who: 'misspells an operator that is loaded on demand, in sardonyx/onnxruntime',
    gets: 'UNSUPPORTED_OPERATOR',
    wrong: /ai\.onnx: CumSums/,
    where: /"odd"/,
    remedy: /did you mean "CumSum"\?/,
    by: () => Compatible.create(oneNode('CumSums')),
  },
  {
    who: 'forgets the domain of an operator',
    gets: 'UNSUPPORTED_OPERATOR',
    wrong: /ai\.onnx: FusedMatMul/,
    where: /"odd"/,
    remedy: /it belongs to com\.microsoft: set the node's domain, and list it in opset_import/,
    by: () => create(oneNode('FusedMatMul')),
  },
  {
    who: 'has an operator newer than the opset that the model names',
    gets: 'UNSUPPORTED_OPERATOR',
    wrong: /Gelu \(×1, .*added in opset 20, but the model uses 17/,
    where: /"odd"/,
    remedy: /export the model again/,
    by: () => create(oneNode('Gelu', {}, 17)),
  },
  {
    who: 'has a model of an opset to come',
    gets: 'a warning',
    wrong: /the model uses opset 99 of ai\.onnx, which is newer than 28/,
    where: /model "one Relu"/,
    remedy: /export the model with an older opset_version/,
    by: () => create(oneNode('Relu', {}, 99)),
  },
  {
    who: 'has an exporter that misspells an attribute',
    gets: 'a warning',
    wrong: /the operator has no attribute "epsion"/,
    where: /BatchNormalization "bn1"/,
    remedy: /did you mean "epsilon"\? The attribute is ignored/,
    by: () => create(normalization()),
  },
  {
    who: 'writes an attribute of another type',
    gets: 'INVALID_ATTRIBUTE',
    wrong: /attribute "axis" must be int, not string/,
    where: /Softmax "odd"/,
    remedy: /must be int/,
    by: () => create(oneNode('Softmax', { axis: 'last' })),
  },
  {
    who: 'misspells the number of threads',
    gets: 'a warning',
    wrong: /the option "numThreads" of create has no effect/,
    where: /"numThreads"/,
    remedy: /did you mean "intraOpNumThreads"\?/,
    by: () => create(classifier(), { numThreads: 1 }),
  },
  {
    who: 'misspells another option',
    gets: 'a warning',
    wrong: /the option "graphOptimisationLevel" of create has no effect/,
    where: /create/,
    remedy: /did you mean "graphOptimizationLevel"\?/,
    by: () => create(classifier(), { graphOptimisationLevel: 'all' }),
  },
  {
    who: 'asks for a GPU, as in onnxruntime',
    gets: 'a warning',
    wrong: /execution provider "cuda" is not supported/,
    where: /"cuda"/,
    remedy: /using "cpu"/,
    by: () => create(classifier(), { executionProviders: ['cuda', 'cpu'], logSeverityLevel: 3, interOpNumThreads: 1 }),
  },
  {
    who: 'asks sardonyx/onnxruntime for a GPU alone',
    gets: 'INVALID_ARGUMENT',
    wrong: /no execution provider is available: "cuda" is not supported/,
    where: /"cuda"/,
    remedy: /use one of wasm, cpu/,
    by: () => Compatible.create(classifier(), { executionProviders: ['cuda'] }),
  },
  {
    who: 'gives threads as text',
    gets: 'INVALID_ARGUMENT',
    wrong: /not two/,
    where: /intraOpNumThreads/,
    remedy: /must be an integer from 0 to 256/,
    by: () => create(classifier(), { intraOpNumThreads: 'two' }),
  },
  {
    who: 'asks for threads in a page that is not isolated',
    gets: 'a warning',
    wrong: /4 threads were requested, but the page is not cross-origin isolated/,
    where: /the page/,
    remedy: /headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy/,
    by: () => inPage(false, () => create(classifier(), { intraOpNumThreads: 4 })),
  },
  {
    who: "gives onnxruntime's name of a level in C",
    gets: 'INVALID_ARGUMENT',
    wrong: /not ORT_ENABLE_ALL/,
    where: /graphOptimizationLevel/,
    remedy: /must be one of disabled, basic, extended, layout, all/,
    by: () => create(classifier(), { graphOptimizationLevel: 'ORT_ENABLE_ALL' }),
  },
  {
    who: 'misspells an open size',
    gets: 'a warning',
    wrong: /the model has no size "batch_size"/,
    where: /freeDimensionOverrides/,
    remedy: /its dynamic dimensions are "batch", "sequence"; did you mean "batch"\?/,
    by: () => create(encoder(), { freeDimensionOverrides: { batch_size: 1 } }),
  },
  {
    who: 'gives an open size as text',
    gets: 'INVALID_ARGUMENT',
    wrong: /not "1"/,
    where: /freeDimensionOverrides: "batch"/,
    remedy: /must be a whole number from 0 on/,
    by: () => create(encoder(), { freeDimensionOverrides: { batch: '1' } }),
  },
  {
    who: 'does not await the options',
    gets: 'INVALID_ARGUMENT',
    wrong: /got a Promise/,
    where: /session options/,
    remedy: /did you forget await\?/,
    by: () => create(classifier(), Promise.resolve({})),
  },
  {
    who: 'gives an option without an object around it',
    gets: 'INVALID_ARGUMENT',
    wrong: /got "wasm"/,
    where: /session options/,
    remedy: /must be an object, e\.g\. \{ intraOpNumThreads: 2 \}/,
    by: () => create(classifier(), 'wasm' as never),
  },
];
