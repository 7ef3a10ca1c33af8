import {
  AttributeProto,
  type GraphProto,
  type NodeProto,
  type TensorProto,
  type TypeProto,
  type ValueInfoProto,
} from '../../../build/onnx.js';
import { changedList, withChanges, withFields } from '../../model/document/changed.js';
import { ELEMENTS, type ElementType } from '../../tensor/element-types.js';
import { nodeOf } from '../quantize/nodes.js';
import { tensorOf } from '../quantize/tensor-data.js';
import { withGraphs } from '../surgery/bodies.js';
import { borderForm, type Draft, elementsOf, homeOf, isSame, nameOf, othersOf } from './forms.js';
import { tensorAttribute } from './probes.js';
import { type Site, type Step, type Value, valueIn } from './sites.js';

/** Converted constants by the original ones. */
export type Weights = ReadonlyMap<TensorProto, TensorProto>;

/** Writes a graph as drafted. */
export function written(draft: Draft, weights: Weights, site: Site = draft.site): GraphProto {
  const { graph, values } = site;
  const given = [...givenIn(graph)].flatMap((name) => values.get(name) ?? []);
  const initializer = graph.initializer.flatMap((tensor) => tensorsOf(draft, weights, values.get(tensor.name), tensor));
  return withChanges(graph, {
    input: same(
      graph.input,
      graph.input.flatMap((old) => inputsFor(draft, site, old)),
    ),
    output: changedList(graph.output, (old) => border(draft, site, old, true)),
    initializer: same(graph.initializer, initializer),
    valueInfo: same(
      graph.valueInfo,
      graph.valueInfo.flatMap((old) => told(draft, site, old)),
    ),
    node: same(graph.node, [
      ...given.filter((value) => !isStored(draft, value)).flatMap((value) => castsOf(draft, value)),
      ...site.steps.flatMap((step) => writtenStep(draft, weights, step)),
    ]),
  });
}

/** The names of inputs and initializers. */
const givenIn = ({ input, initializer, sparseInitializer }: GraphProto): Set<string> =>
  new Set([
    ...[...input, ...initializer].map(({ name }) => name),
    ...sparseInitializer.map(({ values }) => values?.name ?? ''),
  ]);

/** Whether a value is stored in each required type. Other values are cast. */
const isStored = ({ narrowing }: Draft, value: Value): boolean =>
  value.constant !== undefined && narrowing.of(value) !== undefined;

const same = <T>(before: T[], after: T[]): T[] =>
  before.length === after.length && after.every((item, i) => item === before[i]) ? before : after;

/** A constant in each required type. */
function tensorsOf(draft: Draft, weights: Weights, value: Value | undefined, tensor: TensorProto): TensorProto[] {
  if (!value?.element) return [tensor];
  const elements = isStored(draft, value) ? [homeOf(draft, value), ...othersOf(draft, value)] : [homeOf(draft, value)];
  return elements.map((element) => {
    const found = element === draft.narrowing.to ? (weights.get(tensor) ?? tensor) : tensor;
    return withChanges(found, { name: nameOf(draft, value, element) });
  });
}

/** Before IR version 4, the inputs include the constants in all their types. */
function inputsFor(draft: Draft, site: Site, info: ValueInfoProto): ValueInfoProto[] {
  const value = site.values.get(info.name);
  if (!value || !isStored(draft, value)) return [border(draft, site, info, false)];
  return [homeOf(draft, value), ...othersOf(draft, value)].map((element) =>
    retyped(withChanges(info, { name: nameOf(draft, value, element) }), element),
  );
}

function border(draft: Draft, site: Site, info: ValueInfoProto, isOutput: boolean): ValueInfoProto {
  const value = valueIn(site, info.name);
  if (!value?.element) return info;
  const [name, element] = borderForm(draft, site, value, isOutput);
  return retyped(withChanges(info, { name }), draft.narrowing.of(value) ? element : undefined);
}

function told(draft: Draft, site: Site, info: ValueInfoProto): ValueInfoProto[] {
  const value = site.values.get(info.name);
  if (!value?.element) return [info];
  if (isSame(draft, value)) return [];
  const named = withChanges(info, { name: nameOf(draft, value) });
  return [retyped(named, draft.narrowing.of(value) ? homeOf(draft, value) : undefined)];
}

const retyped = (info: ValueInfoProto, element: ElementType | undefined): ValueInfoProto =>
  info.type && element ? withChanges(info, { type: withElement(info.type, element) }) : info;

/** Replaces the element type of a type. */
function withElement(type: TypeProto, element: ElementType): TypeProto {
  const { tensorType, sequenceType, optionalType } = type;
  const elemType = ELEMENTS[element].onnx;
  if (tensorType) return withChanges(type, { tensorType: withChanges(tensorType, { elemType }) });
  const inner = sequenceType ?? optionalType;
  if (!inner?.elemType) return type;
  const changed = withChanges(inner, { elemType: withElement(inner.elemType, element) });
  return withChanges(type, sequenceType ? { sequenceType: changed } : { optionalType: changed });
}

const castsOf = (draft: Draft, value: Value): NodeProto[] =>
  othersOf(draft, value).map((element) => {
    const name = nameOf(draft, value, element);
    const attributes = { to: ELEMENTS[element].onnx, name: draft.fresh(`${name}/Cast`) };
    return nodeOf('Cast', [nameOf(draft, value)], [name], attributes);
  });

function writtenStep(draft: Draft, weights: Weights, step: Step): NodeProto[] {
  const { node, outputs } = step;
  const [first] = outputs;
  if (draft.gone.has(step)) return [];
  if (first && isStored(draft, first)) return constantNodes(draft, weights, step, first);
  const elements = elementsOf(draft, step);
  const input = node.input.map((name, i) => {
    const value = step.inputs[i];
    return value ? nameOf(draft, value, elements.inputs[i]) : name;
  });
  const output = node.output.map((name, i) => (outputs[i] ? nameOf(draft, outputs[i]) : name));
  const changed = withChanges(withTypes(draft, weights, step), {
    input: same(node.input, input),
    output: same(node.output, output),
  });
  return [inGraphs(draft, weights, step, changed), ...outputs.flatMap((value) => (value ? castsOf(draft, value) : []))];
}

/** A Constant node for each required type. */
function constantNodes(draft: Draft, weights: Weights, { node }: Step, value: Value): NodeProto[] {
  return [homeOf(draft, value), ...othersOf(draft, value)].map((element, i) => {
    const output = [nameOf(draft, value, element)];
    const t = element === draft.narrowing.to ? weights.get(value.constant as TensorProto) : undefined;
    const attribute = t ? [tensorAttribute('value', t)] : node.attribute;
    const name = i === 0 || !node.name ? node.name : draft.fresh(node.name);
    return withChanges(node, { name, output: same(node.output, output), attribute });
  });
}

function inGraphs(draft: Draft, weights: Weights, { bodies }: Step, node: NodeProto): NodeProto {
  if (bodies.length === 0) return node;
  const inner = new Map(bodies.map((site) => [site.graph, site]));
  const write = (graph: GraphProto) => written(draft, weights, inner.get(graph));
  return withChanges(node, { attribute: changedList(node.attribute, (attribute) => withGraphs(attribute, write)) });
}

/** Updates the type attribute of a node whose output becomes half precision if no input determines the type. */
function withTypes(draft: Draft, weights: Weights, step: Step): NodeProto {
  const { node, signature, outputs } = step;
  const typed = signature?.typed;
  const element = elementsOf(draft, step).outputs[0] as ElementType;
  if (!typed || typed === 'stash_type' || element === outputs[0]?.element) return node;
  const old = node.attribute.find(({ name }) => name === typed.name);
  if (!old && !typed.isSaid) return node;
  const made = typeAttribute(typed.name, old, element, weights);
  const others = node.attribute.filter((attribute) => attribute !== old);
  return withFields(node, { attribute: [...others, made] });
}

function typeAttribute(name: string, old: AttributeProto | undefined, element: ElementType, weights: Weights) {
  if (old?.tp) return withFields(old, { tp: withElement(old.tp, element) });
  if (name === 'value') return tensorAttribute(name, (old?.t && weights.get(old.t)) ?? zero(element));
  const type = AttributeProto.AttributeType.INT;
  return new AttributeProto({ name, type, i: ELEMENTS[element].onnx });
}

/** The default value of ConstantOfShape. */
const zero = (element: ElementType): TensorProto => tensorOf('', element, [1], new Uint16Array(1));
