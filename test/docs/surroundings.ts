import type { Snippet } from './snippets.js';

/** Where a snippet runs: `node` is whichever runs the tests, one process for all; what needs another is run by test/platforms/snippets.test.ts. */
export type Host =
  | 'node'
  | 'new node'
  | 'workerd'
  | 'page'
  | 'no bundler'
  | 'another origin'
  | 'the repository'
  | 'a bundler';

/** What a snippet of the documentation needs beside itself and the files and addresses of world.ts. */
export interface Surroundings {
  readonly host?: Host;
  /** Code above it. */
  readonly before?: string;
  /** Code below it, which finds out whether it did what it says. */
  readonly after?: string;
}

const assert = `const assert = (fact: unknown, what: string) => { if (!fact) throw new Error(what); };`;

/** By the snippet's name. One that is not here is whole. */
export const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  'CONTRIBUTING.md, Add an operator': {
    host: 'the repository',
    before: `import { tensorType } from '../../src/graph/types.js';
import { defineOp } from '../../src/schema/definition.js';
import { ANY } from '../../src/schema/element-sets.js';
import { elementCount } from '../../src/tensor/tensor-value.js';`,
  },
  'docs/getting-started.md, A page without a bundler': {
    after: `<script type="module">
  const input = document.querySelector('#photo');
  const photo = await (await fetch('photo.jpg')).blob();
  const files = new DataTransfer();
  files.items.add(new File([photo], 'photo.jpg'));
  while (input.disabled) await new Promise((resolve) => setTimeout(resolve, 50));
  input.files = files.files;
  input.dispatchEvent(new Event('change'));
</script>`,
  },
  'docs/language-models.md, With a state': {
    after: `${assert}
const { modelBuilder, tensor } = await import('sardonyx/builder');
const b = modelBuilder({ opset: 23 });
const table = b.constant('table', tensor('float32', [16, 8], Array.from({ length: 128 }, (_, i) => Math.sin(i * i))));
const x = b.op('Gather', [table, b.input('input_ids', 'int64', [1, 'rows'])]);
const pasts = ['key', 'value'].map((part) => b.input(\`past_key_values.0.\${part}\`, 'float32', [1, 2, 'past', 4]));
const [y, key, value] = b.node('Attention', [x, x, x, null, ...pasts], { is_causal: 1, q_num_heads: 2, kv_num_heads: 2 }, { outputs: 3 });
const turned = b.constant('turned', tensor('float32', [8, 16], Array.from({ length: 128 }, (_, i) => Math.cos(3 * i))));
b.output('logits', b.op('MatMul', [y ?? null, turned]));
b.output('seen', b.op('Shape', [b.input('attention_mask', 'int64', [1, 'total'])]));
if (key && value) for (const [name, output] of Object.entries({ key, value })) b.output(\`present.0.\${name}\`, output);
const session = await InferenceSession.create(b.toBytes());
const said: number[] = [];
for await (const token of generate(session, [1, 2, 3])) if (said.push(token) === 5) break;
assert(said.length === 5 && said.every((token) => token >= 0 && token < 16), String(said));`,
  },
  'docs/logs.md, Training a model': {
    after: `${assert}
const { readdirSync, readFileSync } = await import('node:fs');
const [name = ''] = readdirSync('runs/sine');
assert(readFileSync('runs/sine/' + name).includes('weights/w1'), 'no histogram in ' + name);
const last = await session.run({ ...feeds, ...state, step: new Tensor('int64', [301n], []) });
assert((last.loss?.data[0] as number) < 0.02, 'the loss is ' + last.loss?.data[0]);`,
  },
  'docs/onnxruntime.md, Change the import, 2': { host: 'a bundler' },
  'docs/onnxruntime.md, In transformers.js': {
    after: `${assert}
assert(String(dims) === '1,32', \`the tiny model gives \${dims}\`);
const { env } = await import('@huggingface/transformers');
assert('sardonyx' in (env.backends.onnx as { versions: object }).versions, 'another runtime computed it');`,
  },
  'docs/onnxruntime.md, In transformers.js, 2': {
    host: 'new node',
    after: `${assert}
const ort = await import('onnxruntime-node');
assert(ort.InferenceSession === (await import('sardonyx/onnxruntime')).InferenceSession, 'another runtime is loaded');`,
  },
  'docs/platforms.md, Cloudflare Workers': { host: 'workerd' },
  'docs/platforms.md, Workers from a CDN': {
    host: 'another origin',
    after: `import { InferenceSession, Tensor } from 'sardonyx/worker';
const session = await InferenceSession.create(new URL('/model.onnx', location.href), { intraOpNumThreads: 2 });
const { y } = await session.run({ x: new Tensor('float32', [1, -2, 3]) });
await new Promise((resolve) => setTimeout(resolve, 500));
Object.assign(globalThis, { outcome: { y: Array.from(y.data, Number), threads: await session.threads } });`,
  },
  'docs/toolkit.md, Conformance': {
    after: `${assert}
const { cases: count, passed } = report.totals;
assert(count === 1 && passed === 1, JSON.stringify(report));`,
  },
  'docs/workers.md, A session in a worker, 2': {
    host: 'page',
    after: `import { InferenceSession, Tensor } from 'sardonyx/worker';
env.wasm.wasmPaths = '/build/';
const session = await InferenceSession.create('/model.onnx');
const { y } = await session.run({ x: new Tensor('float32', [1, -2, 3]) });
Object.assign(globalThis, { outcome: { y: Array.from(y.data, Number) } });`,
  },
};

/** Pages in HTML run as they are written. */
export const hostOf = ({ name, language }: Snippet): Host =>
  language === 'html' ? 'no bundler' : (SURROUNDINGS[name]?.host ?? 'node');
