// Compiles src/model/onnx.proto to static code: build/onnx.js and its types, build/onnx.d.ts; for those who only read,
// build/onnx-reader.js.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import pbjs from 'protobufjs-cli/pbjs.js';

const OUT = 'build/onnx.js';
const READER = 'build/onnx-reader.js';
const TYPES = 'build/onnx.d.ts';

mkdirSync('build', { recursive: true });
const unneeded = ['create', 'verify', 'convert', 'delimited', 'typeurl', 'service'].map((part) => `--no-${part}`);
const compile = (...options) =>
  promisify(pbjs.main)([
    ...['--target', 'static-module', '--wrap', 'esm', '--dependency', 'protobufjs/minimal.js'],
    ...unneeded,
    ...options,
    'src/model/onnx.proto',
  ]);
// Modules of one root overwrite each other's messages, whichever is evaluated last.
await compile('--root', 'sardonyx', '--out', OUT, '--dts');
await compile('--root', 'sardonyx-reader', '--out', READER, '--no-encode');
writeFileSync('build/onnx-reader.d.ts', "export * from './onnx.js';\n");

// A decoded message consists of messages, whose repeated fields are never null: say so, for the reader's sake.
const types = readFileSync(TYPES, 'utf8')
  .replace('import Long = require("long");', "import type { Long } from '../src/model/int64.js';")
  .replace(/^( *)(?:export )?class [\s\S]*?^\1}/gm, (body) =>
    body.replace(/^ +\w+\??: .*/gm, (field) => field.replaceAll('.$Properties', '')),
  )
  .replace(/decode\((.*)\): (\S+) & \S+;/g, 'decode($1): $2;');
writeFileSync(TYPES, types);
