import { readFileSync } from 'node:fs';
import * as tools from 'sardonyx/model';
import { hashes } from './toolkit.js';

console.log(JSON.stringify(await hashes(tools, new Uint8Array(readFileSync('model.onnx')))));
