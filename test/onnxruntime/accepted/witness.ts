// Asks onnxruntime-web, as it lies in bench/, what it lets pass, and keeps that in expected.json:
// node --import tsx test/onnxruntime/accepted/witness.ts

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ask, type Runtime } from './cases.js';

const runtime = createRequire(new URL('../../../bench/package.json', import.meta.url))('onnxruntime-web') as Runtime & {
  readonly env: { wasm: { numThreads: number }; logLevel: string; versions: { web: string } };
};
runtime.env.wasm.numThreads = 1;
runtime.env.logLevel = 'fatal';

const { feeds, tensors, properties } = await ask(runtime);
const lines = (answers: object) =>
  Object.entries(answers)
    .map(([name, answer]) => `    ${JSON.stringify(name)}: ${JSON.stringify(answer)}`)
    .join(',\n');
const parts = Object.entries({ feeds, tensors, properties }).map(
  ([name, part]) => `  "${name}": {\n${lines(part)}\n  }`,
);
const { web } = runtime.env.versions;
const file = new URL('expected.json', import.meta.url);
writeFileSync(file, `{\n  "onnxruntime-web": "${web}",\n${parts.join(',\n')}\n}\n`);
process.exit(0);
