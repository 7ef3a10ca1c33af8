import { expose, transfer } from 'comlink';
import type { Model, ModelProto } from 'sardonyx/model';
import { tensorsOf } from '../../../src/model/document/tensors.js';
import { type Int64, toNumber } from '../../../src/model/int64.js';
import { loadModel } from '../../../src/tools/load-model.js';
import { isExternal, locationOf } from '../../../src/tools/tensor-data.js';
import { buffersOf } from '../graph/buffers.js';
import { graphAt } from './graph-at.js';
import { functionKey, outlineOf } from './outline-of.js';
import type { DocumentsService, ModelFiles, OpenedDocument } from './service.js';

interface Open {
  readonly files: ModelFiles;
  readonly model: Model;
}

const opened = new Map<number, Open>();
let lastId = 0;

const find = (id: number): Open => {
  const found = opened.get(id);
  if (!found) throw new Error(`the model ${id} is closed`);
  return found;
};

const outlineAt = ({ proto }: Model, path: string) =>
  outlineOf(graphAt(proto, path), { path, functions: new Set(proto.functions.map(functionKey)) });

const service: DocumentsService = {
  async open(files) {
    const model = await loadModel(files.model, { externalData: files.beside });
    const id = ++lastId;
    opened.set(id, { files, model });
    return sent(described(id, files, model));
  },
  close: (id) => void opened.delete(id),
  outline: (id, path) => sent(outlineAt(find(id).model, path)),
  types: async (id, path) => {
    const { model } = find(id);
    const { strings, values } = outlineAt(model, path);
    const names = Array.from(values.name, (name) => strings[name] as string);
    const { typesOf } = await import('./types-of.js');
    return sent(await typesOf(model, path, names));
  },
  files: async (id) => find(id).files,
};

function described(id: number, files: ModelFiles, model: Model): OpenedDocument {
  const { proto } = model;
  const bytes = files.beside.reduce((sum, { data }) => sum + data.size, files.model.size);
  const opsets = proto.opsetImport.map(({ domain, version }) => ({
    domain: domain || 'ai.onnx',
    version: toNumber(version as Int64),
  }));
  const functions = proto.functions.map(({ domain, name }) => `${domain}:${name}`);
  const external = [...new Set(tensorsOf(proto, isExternal).map(locationOf))];
  const given = new Set(files.beside.map(({ path }) => path));
  const missing = external.filter((path) => !given.has(path));
  const facts = factsOf(proto);
  return { id, name: files.name, bytes, opsets, facts, functions, external, missing, outline: outlineAt(model, '') };
}

const factsOf = (proto: ModelProto): [string, string][] =>
  [
    ['Graph', proto.graph?.name ?? ''],
    ['Producer', `${proto.producerName} ${proto.producerVersion}`.trim()],
    ['Format', `ONNX IR ${toNumber(proto.irVersion as Int64)}`],
    ['Domain', proto.domain],
    ['Version', `${toNumber(proto.modelVersion as Int64) || ''}`],
    ['Description', proto.docString],
    ...proto.metadataProps.map(({ key, value }): [string, string] => [key, value]),
  ].filter((fact): fact is [string, string] => fact[1] !== '');

const sent = <T extends object>(value: T): T => transfer(value, buffersOf(value));

expose(service);
