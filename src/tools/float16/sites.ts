import type { GraphProto, ModelProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import type { ValueType } from '../../graph/types.js';
import { toNumber } from '../../model/int64.js';
import { type ElementType, elementTypeOf } from '../../tensor/element-types.js';
import { graphPath, nodePath } from '../infer/map-graph.js';
import type { ValueTypes } from '../infer/types-of.js';
import { tensorOf } from '../quantize/tensor-data.js';
import { domainOf } from '../schemas/domains.js';
import { type Signature, signatureOf } from './signature.js';

/** A graph with its values by name and its nodes in order. */
export interface Site {
  readonly graph: GraphProto;
  readonly outer: Site | undefined;
  readonly values: Map<string, Value>;
  readonly steps: Step[];
}

export interface Value {
  readonly name: string;
  readonly site: Site;
  /** The type in the format of the schemas: `float32`, `seq(float32)`. */
  readonly type: string | undefined;
  /** The element type of a tensor or of the tensors in a sequence. */
  readonly element: ElementType | undefined;
  /** The data of a constant: an initializer that callers cannot replace, or the output of a Constant node. */
  readonly constant: TensorProto | undefined;
  readonly readers: Reading[];
}

export interface Reading {
  readonly step: Step;
  readonly input: number;
}

/** A node with its values. */
export interface Step {
  readonly node: NodeProto;
  readonly site: Site;
  /** The signature; undefined for an unknown operator. */
  readonly signature: Signature | undefined;
  readonly inputs: readonly (Value | undefined)[];
  readonly outputs: readonly (Value | undefined)[];
  readonly bodies: readonly Site[];
}

/** Before IR version 4, initializers must also be inputs. */
const CONSTANTS_APART = 4;

interface Reader {
  readonly types: ReadonlyMap<string, ValueTypes>;
  readonly opsets: ReadonlyMap<string, number>;
  readonly irVersion: number;
}

/** The main graph of a model. `types` are the types of the values by the paths of graphs. */
export function siteOf(proto: ModelProto, types: ReadonlyMap<string, ValueTypes>): Site {
  const opsets = new Map(proto.opsetImport.map(({ domain, version }) => [domainOf(domain), toNumber(version)]));
  return readSite(proto.graph as GraphProto, 'graph', undefined, {
    types,
    opsets,
    irVersion: toNumber(proto.irVersion),
  });
}

function readSite(graph: GraphProto, path: string, outer: Site | undefined, reader: Reader): Site {
  const site: Site = { graph, outer, values: new Map(), steps: [] };
  const types = reader.types.get(path);
  const add = (name: string, constant?: TensorProto) =>
    name ? addValue(site, name, types?.get(name), constant) : undefined;
  const constants = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const isFixed = (name: string) => reader.irVersion < CONSTANTS_APART || !graph.input.some((i) => i.name === name);
  for (const { name } of graph.input) add(name);
  for (const [name, tensor] of constants) add(name, isFixed(name) ? tensor : undefined);
  for (const { values } of graph.sparseInitializer) add(values?.name ?? '');
  for (const [i, node] of graph.node.entries()) readStep(node, nodePath(path, i), site, reader, add);
  return site;
}

function readStep(
  node: NodeProto,
  path: string,
  site: Site,
  reader: Reader,
  add: (name: string, constant?: TensorProto) => Value | undefined,
): void {
  const inputs = node.input.map((name) => valueIn(site, name));
  const bodies = node.attribute.flatMap(({ name, g, graphs }) => [
    ...(g ? [readSite(g, graphPath(path, name), site, reader)] : []),
    ...graphs.map((graph, i) => readSite(graph, graphPath(path, name, i), site, reader)),
  ]);
  const signature = signatureOf(node, reader.opsets);
  const outputs = node.output.map((name) => add(name, constantOf(node)));
  const step: Step = { node, site, signature, inputs, outputs, bodies };
  site.steps.push(step);
  for (const [input, value] of inputs.entries()) value?.readers.push({ step, input });
}

/** The tensor of a Constant node. */
function constantOf({ domain, opType, attribute: [value] }: NodeProto): TensorProto | undefined {
  if (domainOf(domain) !== '' || opType !== 'Constant' || !value) return undefined;
  if (value.name === 'value_float') return tensorOf('', 'float32', [], Float32Array.of(value.f));
  if (value.name === 'value_floats')
    return tensorOf('', 'float32', [value.floats.length], Float32Array.from(value.floats));
  return value.t ?? undefined;
}

function addValue(site: Site, name: string, type: ValueType | undefined, constant?: TensorProto): Value {
  const element = constant ? elementTypeOf(constant.dataType) : elementOf(type);
  const text = constant ? element : textOf(type);
  const value: Value = { name, site, type: text, element, constant, readers: [] };
  site.values.set(name, value);
  return value;
}

export function valueIn(site: Site | undefined, name: string): Value | undefined {
  if (!site || !name) return undefined;
  return site.values.get(name) ?? valueIn(site.outer, name);
}

function textOf(type: ValueType | undefined): string | undefined {
  if (type?.kind === 'tensor') return type.element;
  if (type?.kind !== 'sequence' && type?.kind !== 'optional') return type?.kind;
  return `${type.kind === 'sequence' ? 'seq' : 'optional'}(${textOf(type.of)})`;
}

function elementOf(type: ValueType | undefined): ElementType | undefined {
  if (type?.kind === 'tensor') return type.element;
  return type?.kind === 'sequence' || type?.kind === 'optional' ? elementOf(type.of) : undefined;
}

/** Yields all nodes; those of subgraphs come before the node that contains them. */
export function* stepsIn(site: Site): Generator<Step> {
  for (const step of site.steps) {
    for (const body of step.bodies) yield* stepsIn(body);
    yield step;
  }
}

export function* sitesIn(site: Site): Generator<Site> {
  yield site;
  for (const { bodies } of site.steps) for (const body of bodies) yield* sitesIn(body);
}
