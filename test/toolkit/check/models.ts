import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelProto } from '../../../build/onnx.js';
import { decode } from '../../../src/model/read-protobuf.js';
import { shared } from '../../shared-data.js';

const GROUPS = ['node', 'simple', 'light', 'pytorch-converted', 'pytorch-operator'];

/** The .onnx files of a folder, and of those in it. */
export function modelsIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => (name.endsWith('.onnx') ? join(folder, name) : join(folder, name, 'model.onnx')))
    .filter((path) => path.endsWith('.onnx') && existsSync(path));
}

/** ONNX's backend models. */
export function backendModels(): string[] {
  const root = shared('onnx-backend-tests');
  return GROUPS.flatMap((group) => modelsIn(join(root, group)));
}

/** Whole networks: four small ones, and larger ones where they are. */
export function networks(): string[] {
  return modelsIn(shared('models'));
}

export const readProto = (path: string): ModelProto => decode(ModelProto, readFileSync(path), 'ONNX model');
