import type { Model, ModelProto } from 'sardonyx/model';
import { type Int64, toBigInt } from '../../../../src/model/int64.js';
import { MODEL_FIELDS, type ModelField } from '../contracts/changes.js';
import type { About, Pairs } from '../contracts/details.js';
import { graphAt } from './graph-at.js';

export function aboutOf({ proto }: Model, path: string): About {
  const { name } = graphAt(proto, path);
  const { docString, metadataProps, opsetImport } = notedAt(proto, path);
  return {
    fields: MODEL_FIELDS.map((field) => [field, fieldText(proto, field)]),
    doc: proto.docString,
    metadata: pairs(proto.metadataProps),
    graph: {
      name,
      doc: docString ?? '',
      metadata: pairs(metadataProps ?? []),
      opsets: opsetImport.map(({ domain, version }) => [domain || 'ai.onnx', `${toBigInt(version as Int64)}`]),
    },
  };
}

const fieldText = (proto: ModelProto, field: ModelField): string =>
  field === 'modelVersion' ? `${toBigInt(proto.modelVersion as Int64)}` : proto[field];

const pairs = (entries: readonly { key: string; value: string }[]): Pairs =>
  entries.map(({ key, value }) => [key, value]);

/** A graph's notes, and the opset imports that apply to it. */
function notedAt(proto: ModelProto, path: string) {
  const [first, name] = path.split('/');
  const definition =
    first === 'function' ? proto.functions.find((each) => `${each.domain}:${each.name}` === name) : undefined;
  const body = definition && path.split('/').length === 2 ? definition : graphAt(proto, path);
  const { docString, metadataProps } = body as { docString?: string; metadataProps?: ModelProto['metadataProps'] };
  return { docString, metadataProps, opsetImport: (definition ?? proto).opsetImport };
}
