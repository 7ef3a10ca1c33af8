import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addOutputs } from '../../optimize/extra-outputs.js';
import { openModel } from '../../session/open-model.js';
import { UsageError } from '../usage-error.js';
import { writeModelFile } from '../write-model-file.js';
import { runInChild } from './child.js';
import type { Peer, PeerOptions, Task } from './peer.js';

/** One of onnxruntime's packages, as the project in `folder` has it. */
export function onnxruntime(name: string, { threads, folder, io }: PeerOptions): Peer {
  const entry = entryOf(name, folder);
  if (!entry) throw new UsageError(`${name} is not installed here: npm install ${name}`);
  return {
    name: `${name} ${versionBeside(entry, name)}`,
    run: (task) => withOutputs(task, (model) => runInChild(io, { ...task, model, name, entry, threads })),
  };
}

/** The file that `require(name)` would load in a folder. */
export function entryOf(name: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

/** The version in the package.json of the folder, or one above, that an entry point lies in. */
export function versionBeside(entry: string, name: string): string {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (manifest.name === name) return manifest.version;
    } catch {}
  }
  return '';
}

/** Writes the model anew where it is to give out more. */
async function withOutputs<T>({ model, extraOutputs }: Task, use: (model: Task['model']) => Promise<T>): Promise<T> {
  if (extraOutputs.length === 0) return use(model);
  const opened = await openModel(model, {});
  addOutputs(opened.graph, extraOutputs);
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-compare-'));
  try {
    const path = join(folder, 'model.onnx');
    writeModelFile(path, opened);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
