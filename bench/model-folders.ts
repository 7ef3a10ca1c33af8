import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedFolder } from '../test/shared-data.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const MADE = here('.models');
const STORED = sharedFolder('models') ?? here('.stored');
const MAKER = join(STORED, 'make_models.py');
/** The script needs Debian's python3-torch, python3-torchvision, python3-onnx and python3-sklearn. */
const PYTHON = '/usr/bin/python3';

/** Models too large to store; they are made on first use. */
const MAKEABLE = new Set(['resnet18', 'resnet50', 'efficientnet_b0']);

/** Writes a model that was made in code; returns its folder. */
export function writtenModel(name: string, bytes: Uint8Array): string {
  const folder = join(MADE, name.replace(/\W+/g, '_'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), bytes);
  return folder;
}

/** The folder of `model`, from `extra`, the stored or the made ones; throws if there is none. */
export function modelFolder(model: string, extra: readonly string[]): string {
  const places = [...extra, STORED, MADE];
  const found = places.map((place) => join(place, model)).find((folder) => existsSync(join(folder, 'model.onnx')));
  if (found) return found;
  if (!MAKEABLE.has(model) || !existsSync(MAKER)) throw new Error(`no ${model} in ${places.join(', ')}`);
  console.error(`making ${model} into ${MADE}, once`);
  const { status, stderr } = spawnSync(PYTHON, [MAKER, MADE, model], { encoding: 'utf8' });
  if (status === 0) return join(MADE, model);
  throw new Error(`${MAKER} cannot make ${model}: ${stderr?.trim().split('\n').at(-1) ?? `no ${PYTHON}`}`);
}
