import { expose, transfer } from 'comlink';
import type { Model, ModelProto } from 'sardonyx/model';
import { tensorsOf } from '../../../../src/model/document/tensors.js';
import { type Int64, toNumber } from '../../../../src/model/int64.js';
import { loadModel } from '../../../../src/tools/load-model.js';
import { isExternal, locationOf } from '../../../../src/tools/tensor-data.js';
import { buffersOf } from '../../graph/buffers.js';
import type { DocumentsService, Edited, OpenedDocument } from '../contracts/documents.js';
import type { TensorAt } from '../contracts/tensors.js';
import { load } from './formats/load.js';
import { graphAt } from './graph-at.js';
import { change, find, forget, keep, step } from './opened.js';
import { functionKey, outlineOf } from './outline-of.js';
import { rehearsalModel } from './rehearsal.js';
import { trainingOf } from './training.js';

/** Modules needed only after a model is shown; loaded on demand. */
const inspection = () => import('./inspection.js');
const edits = () => import('./edits.js');

const outlineAt = ({ proto }: Model, path: string) =>
  outlineOf(graphAt(proto, path), { path, functions: new Set(proto.functions.map(functionKey)) });

const service: DocumentsService = {
  async open(files) {
    const { model, ...format } = await load(files);
    const id = keep(files, model, format);
    return sent(described(id));
  },
  async rehearse() {
    const model = await loadModel(rehearsalModel());
    return sent(outlineAt(model, ''));
  },
  close: forget,
  outline: (id, path) => sent(outlineAt(find(id).model, path)),
  types: async (id, path, fed = {}) => {
    const { model } = find(id);
    const { strings, values } = outlineAt(model, path);
    const names = Array.from(values.name, (name) => strings[name] as string);
    const { typesOf } = await import('./types-of.js');
    return sent(await typesOf(model, path, names, fed));
  },
  nodeLines: async (id, path, shown) => {
    const { model } = find(id);
    const { nodeLines } = await inspection();
    return nodeLines(outlineAt(model, path), graphAt(model.proto, path).node, shown);
  },
  node: async (id, path, index) => (await inspection()).describeNode(find(id).model, path, index),
  value: async (id, path, name) => (await inspection()).describeValue(find(id).model, path, name),
  attribute: async (id, path, index, name) => {
    const found = graphAt(find(id).model.proto, path).node[index]?.attribute.find((each) => each.name === name);
    return found && (await inspection()).writtenAttribute(found);
  },
  work: async (id, sizes) => (await import('./work-of.js')).workOf(find(id).model, sizes),
  about: async (id, path) => (await inspection()).aboutOf(find(id).model, path),
  tensor: async (id, at) => {
    const { factsOf, tensorAt } = await inspection();
    return factsOf(tensorAt(find(id).model, at), at);
  },
  weights: async (id, path) => (await inspection()).weightsOf(find(id).model, path),
  summary: async (id, at) => (await lookOf(id, at)).summary(),
  picture: async (id, at) => {
    const picture = await (await lookOf(id, at)).picture();
    return picture && sent(picture);
  },
  cells: async (id, at, window) => (await lookOf(id, at)).cells(window),
  npy: async (id, at) => (await lookOf(id, at)).npy(),
  searchIndex: async (id, withTypes) => {
    const { model } = find(id);
    const { graphPaths, searchIndexOf } = await inspection();
    const types = new Map<string, readonly string[]>();
    if (withTypes) for (const path of graphPaths(model.proto)) types.set(path, await inferredAt(id, path));
    return sent(
      searchIndexOf(
        model,
        (path) => outlineAt(model, path),
        (path) => types.get(path),
      ),
    );
  },
  connect: (port) => expose(service, port),
  edit: async (id, wanted) => {
    change(id, await (await edits()).applyChange(find(id).model, wanted));
    return edited(id);
  },
  undo: async (id) => {
    step(id, 'back');
    return edited(id);
  },
  redo: async (id) => {
    step(id, 'forward');
    return edited(id);
  },
  issues: async (id) => (await edits()).issuesOf(find(id).model),
  saveInto: async (id, folder, name) => (await edits()).intoFolder(find(id).model, folder, name),
  saved: async (id, name, form) => {
    const { asOneFile, asZip } = await edits();
    return form === 'zip' ? asZip(find(id).model, name) : asOneFile(find(id).model);
  },
  files: async (id) => {
    const { files, model } = find(id);
    return model.original ? files : (await edits()).filesOf(model, files);
  },
};

function described(id: number): OpenedDocument {
  const { files, model, format, isViewOnly = false } = find(id);
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
  return {
    id,
    name: files.name,
    bytes,
    opsets,
    isViewOnly,
    facts: factsOf(proto, format),
    functions,
    training: trainingOf(proto),
    parameters: tensorsOf(proto, () => true).reduce((sum, { dims }) => sum + elementsIn(dims as Int64[]), 0),
    openSizes: openSizesOf(proto),
    external,
    missing,
    outline: outlineAt(model, ''),
  };
}

const elementsIn = (dims: readonly Int64[]): number => dims.reduce<number>((count, size) => count * toNumber(size), 1);

function openSizesOf({ graph }: ModelProto): string[] {
  const weights = new Set(graph?.initializer.map(({ name }) => name));
  const fed = graph?.input.filter(({ name }) => !weights.has(name)) ?? [];
  const dims = fed.flatMap(({ type }) => type?.tensorType?.shape?.dim ?? []);
  return [...new Set(dims.filter(({ dimValue }) => dimValue == null).map(({ dimParam }) => dimParam ?? ''))];
}

const factsOf = (proto: ModelProto, format?: string): [string, string][] =>
  [
    ['Graph', proto.graph?.name ?? ''],
    ['Producer', `${proto.producerName} ${proto.producerVersion}`.trim()],
    ['Format', format ?? `ONNX IR ${toNumber(proto.irVersion as Int64)}`],
    ['Domain', proto.domain],
    ['Version', `${toNumber(proto.modelVersion as Int64) || ''}`],
    ['Description', proto.docString],
    ...proto.metadataProps.map(({ key, value }): [string, string] => [key, value]),
  ].filter((fact): fact is [string, string] => fact[1] !== '');

function edited(id: number): Edited {
  const { past, future } = find(id);
  const history = { canUndo: past.length > 0, canRedo: future.length > 0 };
  return sent({ document: described(id), history });
}

const lookOf = async (id: number, at: TensorAt) => (await inspection()).lookOf(find(id).model, at);

const inferredAt = async (id: number, path: string): Promise<string[]> => {
  const { type, strings } = await service.types(id, path);
  return Array.from(type, (index) => strings[index] as string);
};

const sent = <T extends object>(value: T): T => transfer(value, buffersOf(value));

expose(service);
