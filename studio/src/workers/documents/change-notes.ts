import type { FunctionProto, GraphProto, Model, ModelProto, NodeProto, ValueInfoProto } from 'sardonyx/model';
import { ValueInfoProto as Info, OperatorSetIdProto, StringStringEntryProto } from '../../../../build/onnx.js';
import { withChanges } from '../../../../src/model/document/changed.js';
import { fromInteger } from '../../../../src/model/int64.js';
import { isGraph, withSubgraphs } from '../../../../src/tools/surgery/bodies.js';
import type { Described, ModelField } from '../contracts/changes.js';
import { integer } from './attribute-values.js';
import { type Definition, withBodyAt, withNodeAt } from './with-body-at.js';

type Pairs = readonly { readonly key: string; readonly value: string }[];

/** The fields common to everything that can be described. */
interface Noted {
  docString: string;
  metadataProps: Pairs;
}

type Change = (before: Noted) => Partial<Noted>;

export const withDoc = (proto: ModelProto, on: Described, docString: string): ModelProto =>
  noted(proto, on, () => ({ docString }));

/** Adds or replaces a metadata entry, or removes it if the value is ''. */
export const withMetadata = (proto: ModelProto, on: Described, key: string, value: string): ModelProto =>
  noted(proto, on, ({ metadataProps }) => ({ metadataProps: withPair(metadataProps, key, value) }));

function withPair(pairs: Pairs, key: string, value: string): Pairs {
  if (key === '') throw new Error('enter a metadata key');
  const others = pairs.filter((pair) => pair.key !== key);
  if (value === '') return others;
  const made = new StringStringEntryProto({ key, value });
  const at = pairs.findIndex((pair) => pair.key === key);
  return at < 0 ? [...pairs, made] : pairs.map((pair, i) => (i === at ? made : pair));
}

function noted(proto: ModelProto, on: Described, change: Change): ModelProto {
  const changed = <T extends object>(message: T): T =>
    withChanges(message, change(message as unknown as Noted) as Partial<T>);
  switch (on.of) {
    case 'model':
      return changed(proto);
    case 'graph':
      return withBodyAt(proto, on.graph, changed);
    case 'node':
      return withNodeAt(proto, on.graph, on.node, (node: NodeProto) => changed(node));
    case 'value':
      return withBodyAt(proto, on.graph, (body) => withInfo(body, on.value, changed));
  }
}

/** Changes a value's info in the inputs, outputs or `valueInfo`, or adds one if it has none. */
export function withInfo<B extends Definition>(
  body: B,
  name: string,
  change: (info: ValueInfoProto) => ValueInfoProto,
): B {
  const inList = (list: ValueInfoProto[]) => list.map((info) => (info.name === name ? change(info) : info));
  const isIn = (list: readonly ValueInfoProto[]) => list.some((info) => info.name === name);
  const { valueInfo } = body as { valueInfo: ValueInfoProto[] };
  if (isGraph(body as GraphProto)) {
    const { input, output } = body as GraphProto;
    const fields: Partial<GraphProto> = { ...(isIn(input) && { input: inList(input) }) };
    if (isIn(output)) fields.output = inList(output);
    if (Object.keys(fields).length > 0) return withChanges<Definition>(body, fields) as B;
  }
  const told = isIn(valueInfo) ? inList(valueInfo) : [...valueInfo, change(new Info({ name }))];
  return withChanges<Definition>(body, { valueInfo: told }) as B;
}

const FIELDS: Readonly<Record<ModelField, (text: string) => Partial<ModelProto>>> = {
  producerName: (producerName) => ({ producerName }),
  producerVersion: (producerVersion) => ({ producerVersion }),
  domain: (domain) => ({ domain }),
  modelVersion: (text) => ({ modelVersion: fromInteger(integer(text)) as ModelProto['modelVersion'] }),
};

export const withField = (proto: ModelProto, field: ModelField, text: string): ModelProto =>
  withChanges(proto, FIELDS[field](text));

/** Adds or replaces the version of a domain for the model or the function at a path, or removes it if ''. */
export function withOpset(proto: ModelProto, path: string, domain: string, version: string): ModelProto {
  const name = domain === 'ai.onnx' ? '' : domain.trim();
  const imported = (list: readonly OperatorSetIdProto[]): OperatorSetIdProto[] => {
    const others = list.filter((each) => each.domain !== name && !(name === '' && each.domain === 'ai.onnx'));
    if (version.trim() === '') return others;
    return [...others, new OperatorSetIdProto({ domain: name, version: fromInteger(integer(version)) })];
  };
  if (!path.startsWith('function/')) return withChanges(proto, { opsetImport: imported(proto.opsetImport) });
  const definition = path.split('/').slice(0, 2).join('/');
  return withBodyAt(
    proto,
    definition,
    (body) =>
      withChanges<Definition>(body, { opsetImport: imported((body as FunctionProto).opsetImport) }) as typeof body,
  );
}

/** Renames a graph; for a function, also in the nodes that call it. */
export function withGraphName(proto: ModelProto, path: string, name: string): ModelProto {
  const [first, called] = path.split('/');
  if (first !== 'function' || path.split('/').length > 2)
    return withBodyAt(proto, path, (body) => withChanges<Definition>(body, { name }) as typeof body);
  const definition = proto.functions.find((each) => `${each.domain}:${each.name}` === called);
  if (!definition) throw new Error(`function "${called}" no longer exists`);
  refuseTaken(proto, definition, name);
  const { domain, name: before } = definition;
  const calling = (node: NodeProto): NodeProto => {
    const inner = withSubgraphs(node, (graph) => everywhere(graph, calling));
    return node.domain === domain && node.opType === before ? withChanges(inner, { opType: name }) : inner;
  };
  const functions = proto.functions.map((each) =>
    everywhere(each === definition ? withChanges(each, { name }) : each, calling),
  );
  return withChanges(proto, { functions, ...(proto.graph && { graph: everywhere(proto.graph, calling) }) });
}

function refuseTaken({ functions }: ModelProto, { domain }: FunctionProto, name: string): void {
  if (name === '') throw new Error('enter a name for the function');
  if (functions.some((each) => each.domain === domain && each.name === name))
    throw new Error(`${domain} already has a function "${name}"`);
}

const everywhere = <B extends Definition>(body: B, change: (node: NodeProto) => NodeProto): B =>
  withChanges<Definition>(body, { node: body.node.map(change) }) as B;

export const withInfoAt = (
  { proto }: Model,
  path: string,
  value: string,
  change: (info: ValueInfoProto) => ValueInfoProto,
): ModelProto => withBodyAt(proto, path, (body) => withInfo(body, value, change));
