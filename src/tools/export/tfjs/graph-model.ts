import { checkOperators } from '../../../analysis/check-operators.js';
import { inferGraph } from '../../../analysis/infer-graph.js';
import { NodeView } from '../../../analysis/node-view.js';
import type { Attribute, Attributes, Graph, Node, Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { formatType, type ValueType } from '../../../graph/types.js';
import { loadGroups } from '../../../groups/load-groups.js';
import { loadOperators } from '../../../groups/load-operators.js';
import { bindOpsets } from '../../../model/bind-opsets.js';
import type { Model } from '../../../model/document/model.js';
import { type DecodedModel, modelOf } from '../../../model/read-model.js';
import { inlineFunctions } from '../../../optimize/inline-functions.js';
import { type ElementType, elementTypeOf, isFloat } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { convertVersion } from '../../convert/index.js';
import { Draft, OPSET, refuse, type Setting, type Settings, TENSORFLOW } from '../../import/tfjs/draft.js';
import type { AttrDef, NodeDef, ShapeDef, TensorInfo } from '../../import/tfjs/graph-def.js';
import { needed } from '../../import/tfjs/needed.js';
import { runtimeView } from '../../runtime-view.js';
import { Refusals } from '../../translation-error.js';
import { type Attrs, EMISSIONS, typed, typeName, type Writer } from './emissions.js';
import { LOWERINGS } from './lowerings.js';
import { Weights } from './weights.js';

export interface GraphModel {
  readonly nodes: readonly NodeDef[];
  readonly weights: Weights;
  readonly signature: { readonly inputs: Record<string, TensorInfo>; readonly outputs: Record<string, TensorInfo> };
}

/** Converts the graph of a model to TensorFlow's operators. */
export async function graphModelOf(model: Model): Promise<GraphModel> {
  const { proto, externalData } = await runtimeView(await convertVersion(model, OPSET), true);
  const runtime = modelOf(proto as DecodedModel, externalData);
  await loadGroups();
  await loadOperators(runtime);
  bindOpsets(runtime.graph, runtime.opsets);
  inlineFunctions(runtime);
  await checkOperators(runtime);
  inferGraph(runtime.graph);
  return writeGraph(runtime.graph);
}

function writeGraph(graph: Graph): GraphModel {
  const refusals = new Refusals();
  const [d, values] = lowered(graph, refusals);
  const results = graph.outputs.map((value) => values.get(value) as Value);
  const weights = new Weights();
  const writer = new NodeWriter(d, weights);
  const inputs = graph.inputs.map((value): [string, TensorInfo] => [
    value.name,
    writer.input(value.name, values.get(value) as Value),
  ]);
  // After a refusal, all nodes are converted to report all refusals.
  const nodes = refusals.isEmpty ? needed(d.nodes, results) : d.nodes;
  for (const node of nodes) refusals.collect(node.name.replace(/\/[^/]*$/, ''), node.op, () => writer.node(node));
  refusals.check();
  const outputs = graph.outputs.map((value, i): [string, TensorInfo] => [
    value.name,
    writer.output(value.name, results[i] as Value),
  ]);
  return {
    nodes: [...weights.nodes, ...writer.nodes],
    weights,
    signature: { inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs) },
  };
}

/** Rewrites the graph with operators that TensorFlow.js has. Images have their channels last. */
function lowered(graph: Graph, refusals: Refusals): readonly [Draft, ReadonlyMap<Value, Value>] {
  const d = new Draft();
  const values = new Map<Value, Value>();
  const found = (value: Value): Value | undefined =>
    values.get(value) ?? (value.constant && d.constant(single(value.constant), value.name));
  for (const input of graph.inputs)
    values.set(
      input,
      d.input(input.name, singleType(input.type) ?? refuse(`the type of input "${input.name}" is unknown`)),
    );
  for (const node of graph.nodes) {
    const operands = node.inputs.map((value) => value && found(value));
    if (operands.includes(undefined)) continue;
    d.scope = node.name || node.op;
    const made = refusals.collect(d.scope, node.op, () => lower(d, node, operands as (Value | null)[]));
    for (const [i, value] of node.outputs.entries()) if (value && made?.[i]) values.set(value, made[i]);
  }
  for (const value of graph.outputs) {
    const known = found(value);
    if (known) values.set(value, known);
  }
  return [d, values];
}

function lower(d: Draft, node: Node, inputs: (Value | null)[]): readonly Value[] {
  const { op, domain, attributes, outputs } = node;
  if (domain !== '') return refuse(`TensorFlow.js does not support operators of the domain ${domain}`);
  const lowering = Object.hasOwn(LOWERINGS, op) ? LOWERINGS[op] : undefined;
  if (!lowering && !Object.hasOwn(EMISSIONS, op)) return refuse('TensorFlow.js does not support this operator');
  const settings = settingsOf(attributes);
  if (!lowering && outputs.length === 1) return [d.op(op, inputs, settings)];
  if (!lowering) return d.all(op, inputs, settings, outputs.length);
  const view = new NodeView({ ...node, inputs }, d.facts);
  const [type] = view.outputTypes();
  const like: Value = { name: d.scope };
  if (type) d.facts.set(like, { type });
  const made = lowering(inputs, d, { given: view.attributes, like, wanted: outputs.filter(Boolean).length });
  return 'name' in made ? [made] : made;
}

/** Whether it is another float type than float32, which TensorFlow.js uses for all floats. */
const isOther = (type: ElementType): boolean => isFloat(type) && type !== 'float32' && !/complex/.test(type);
const single = (tensor: TensorValue): TensorValue =>
  isOther(tensor.type) ? tensorOf('float32', tensor.dims, numbersOf(tensor)) : tensor;
const singleType = (type: ValueType | undefined): ValueType | undefined =>
  type?.kind === 'tensor' && isOther(type.element) ? { ...type, element: 'float32' } : type;
const singleCode = (code: number): number => (isOther(elementTypeOf(code) ?? 'float32') ? 1 : code);

function settingOf(name: string, attribute: Attribute): Setting {
  if (attribute.type === 'int') return /^(to|dtype)$/.test(name) ? singleCode(attribute.value) : attribute.value;
  return attribute.type === 'tensor' ? { ...attribute, value: single(attribute.value) } : attribute;
}

const settingsOf = (attributes: Attributes): Settings =>
  Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, settingOf(name, attribute)]));

const openSizes = (dims: readonly Size[] | undefined): ShapeDef =>
  dims
    ? { dim: dims.map((size) => ({ size: typeof size === 'number' ? String(size) : '-1' })) }
    : { unknownRank: true };

/** Writes nodes and assigns names to values. */
class NodeWriter implements Writer {
  readonly nodes: NodeDef[] = [];
  readonly #names = new Map<Value, string>();
  #scope = '';

  constructor(
    private readonly d: Draft,
    private readonly weights: Weights,
  ) {}

  input(wanted: string, value: Value): TensorInfo {
    const name = this.weights.name(wanted);
    const { element, dims } = tensorIn(value);
    this.#names.set(value, name);
    const type = typeName(element);
    this.nodes.push({ name, op: 'Placeholder', attr: { dtype: { type }, shape: { shape: openSizes(dims) } } });
    return { name: `${name}:0`, dtype: type, tensorShape: openSizes(dims) };
  }

  output(name: string, value: Value): TensorInfo {
    const node = this.weights.name(name);
    const { type } = this.d.fact(value);
    if (type.kind !== 'tensor') return refuse(`output "${name}" must be a tensor, got ${formatType(type)}`);
    this.nodes.push({ name: node, op: 'Identity', input: [this.reference(value)], attr: typed(type.element) });
    return { name: `${node}:0`, dtype: typeName(type.element), tensorShape: openSizes(type.dims) };
  }

  node(node: Node): void {
    this.#scope = node.name;
    const made = node.domain === TENSORFLOW ? this.#own(node) : this.#emitted(node);
    for (const [i, value] of node.outputs.entries()) if (value) this.#names.set(value, made[i] as string);
  }

  #own({ op, inputs, attributes }: Node): readonly string[] {
    const attr: Record<string, AttrDef> = { ...typed('float32') };
    for (const [name, { type, value }] of Object.entries(attributes)) {
      if (type === 'strings') attr[name] = { list: { s: (value as string[]).map((text) => btoa(text)) } };
      if (type === 'ints') attr[name] = { list: { i: (value as number[]).map(String) } };
      if (type === 'int') attr[name] = /^(align|half)/.test(name) ? { b: Boolean(value) } : { i: String(value) };
      if (type === 'float') attr[name] = { f: value as number };
      if (type === 'string') attr[name] = { s: btoa(value as string) };
    }
    return [
      this.write(
        op,
        inputs.map((value) => this.reference(value as Value)),
        attr,
      ),
    ];
  }

  #emitted(node: Node): readonly string[] {
    const emission = EMISSIONS[node.op] ?? refuse('TensorFlow.js does not support this operator');
    const view = new NodeView(node, this.d.facts);
    const made = emission(
      {
        inputs: node.inputs.map((value) => (value ? this.reference(value) : '')),
        given: view.attributes,
        results: node.outputs.length,
        type: view.element(node.op === 'Where' ? 1 : 0),
        dims: (i) => view.dims(i) ?? refuse('the rank of the input must be known'),
        known: (i) => this.d.known(node.inputs[i] ?? undefined),
      },
      this,
    );
    return typeof made === 'string' ? [made] : made;
  }

  write = (op: string, input: readonly string[], attr: Attrs = {}): string => {
    const name = this.weights.name(`${this.#scope}/${op}`);
    this.nodes.push({ name, op, input: [...input], attr });
    return name;
  };

  reference = (value: Value): string => {
    const contents = this.d.fact(value).contents;
    const name = this.#names.get(value) ?? (contents && this.weights.add(contents, value.name));
    if (name === undefined) return refuse(`no node produces "${value.name}"`);
    this.#names.set(value, name);
    return name;
  };

  constant = (type: TensorValue['type'], dims: readonly number[], numbers: readonly number[]): string =>
    this.weights.add(tensorOf(type, dims, numbers), 'constant');

  list = (...numbers: number[]): string => this.constant('int32', [numbers.length], numbers);

  scalar = (value: number, type: TensorValue['type'] = 'float32'): string => this.constant(type, [], [value]);
}

const tensorIn = ({ type, name }: Value) =>
  type?.kind === 'tensor' ? type : refuse(`input "${name}" must be a tensor`);
