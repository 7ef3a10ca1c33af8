// Runs ONNX's own tests of its tools with Sardonyx in the place of its C++ (shared/onnx-suites).
// usage: npm run onnx-suites -- [TEST-FILE…]      needs python3-pytest, python3-numpy and python3-protobuf of Debian
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedFolder } from '../shared-data.js';

const suites = sharedFolder('onnx-suites');
if (!suites) throw new Error('set SARDONYX_SHARED to a folder with onnx-suites');
const judge = fileURLToPath(new URL('judge.ts', import.meta.url));
const ONNX_JUDGE = `${process.execPath} --import ${import.meta.resolve('tsx')} ${judge}`;
const { status } = spawnSync(join(suites, 'run'), process.argv.slice(2), {
  stdio: 'inherit',
  env: { ...process.env, ONNX_JUDGE, PYTEST_ADDOPTS: fileURLToPath(new URL('judges', import.meta.url)) },
});
process.exitCode = status ?? 1;
