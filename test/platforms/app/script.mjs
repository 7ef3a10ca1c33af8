import { readFileSync } from 'node:fs';
import * as api from 'sardonyx';
import * as inline from 'sardonyx/inline';
import { check } from './check.js';

const example = JSON.parse(readFileSync('example.json', 'utf8'));
const outcomes = {
  path: await check(api, 'model.onnx', example, 1),
  threads: await check(api, new URL('model.onnx', import.meta.url), example, 2),
  inline: await check(inline, readFileSync('model.onnx'), example, 1),
};
console.log(JSON.stringify(outcomes));
