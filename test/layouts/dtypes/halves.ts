import type { Attribute, Graph, Node, Value } from '../../../src/graph/graph.js';
import { tensorType, type ValueType } from '../../../src/graph/types.js';
import { toFloat16 } from '../../../src/tensor/half.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { type ElementTypes, elementTypes } from './element-types.js';
import { Replacement, withSubgraphs } from './replacement.js';

const FLOAT = 1;
const HALF = 10;

/** What stays in float32, between two casts: the list of the scripts of transformers.js. */
const BLOCKED = new Set(
  `Cast CumSum DynamicQuantizeLinear DynamicQuantizeLSTM Max Min NonMaxSuppression RandomNormalLike RandomUniformLike Range Resize
  RoiAlign STFT TopK`.split(/\s+/),
);

export interface HalvesOptions {
  /** Inputs and outputs of the model that are halves as well: caches of keys and values. */
  readonly isHalf?: (name: string) => boolean;
}

/** float32 as float16, inputs and outputs apart. */
export function inHalves(graph: Graph, { isHalf = () => false }: HalvesOptions = {}): Graph {
  const halves = new Halves(elementTypes(graph));
  const cast = new Replacement('halves');
  const entry = (input: Value) => {
    if (!halves.isFloat(input)) return;
    if (isHalf(input.name)) input.type = halfType(input);
    else halves.renamed.set(input, cast.op('Cast', [input], { to: HALF }));
  };
  for (const input of graph.inputs) entry(input);
  const kept = graph.outputs.filter((output) => halves.isFloat(output) && !isHalf(output.name));
  for (const output of kept) halves.renamed.set(output, { name: `${output.name}_half` });
  const inner = halves.graph(graph);
  for (const output of graph.outputs) if (halves.isFloat(output) && isHalf(output.name)) output.type = halfType(output);
  const exit = new Replacement('floats');
  for (const output of kept) exit.op('Cast', [halves.renamed.get(output) as Value], { to: FLOAT }, output);
  return { ...inner, outputs: graph.outputs, nodes: [...cast.nodes, ...inner.nodes, ...exit.nodes] };
}

const halfType = ({ type }: Value): ValueType => tensorType('float16', type?.kind === 'tensor' ? type.dims : undefined);

class Halves {
  /** Values that others stand for. */
  readonly renamed = new Map<Value, Value>();

  constructor(private readonly types: ElementTypes) {}

  isFloat(value: Value | null | undefined): boolean {
    return !!value && (value.constant?.type ?? this.types.get(value)) === 'float32';
  }

  graph(graph: Graph): Graph {
    const nodes = graph.nodes.flatMap((node) => this.node(withSubgraphs(node, (inner) => this.graph(inner))));
    return { ...graph, nodes, outputs: graph.outputs.map((value) => this.half(value) as Value) };
  }

  private node(node: Node): readonly Node[] {
    if (BLOCKED.has(node.op)) return this.blocked(node);
    const attributes = Object.entries(node.attributes).map(([name, attribute]) => [name, halfAttribute(attribute)]);
    const inputs = node.inputs.map((value) => this.half(value));
    return [{ ...node, inputs, outputs: this.outputs(node), attributes: Object.fromEntries(attributes) }];
  }

  private blocked(node: Node): readonly Node[] {
    const [before, after] = [new Replacement(`${node.name}_in`), new Replacement(`${node.name}_out`)];
    const inputs = node.inputs.map((value) =>
      value && this.isFloat(value) && !value.constant ? before.op('Cast', [this.half(value)], { to: FLOAT }) : value,
    );
    const outputs = this.outputs(node).map((value, i) => {
      if (!value || !this.isFloat(node.outputs[i])) return value;
      const float: Value = { name: `${value.name}_float` };
      after.op('Cast', [float], { to: HALF }, value);
      return float;
    });
    return [...before.nodes, { ...node, inputs, outputs }, ...after.nodes];
  }

  private outputs(node: Node): (Value | null)[] {
    return node.outputs.map((value) => {
      if (!value || !this.isFloat(value)) return value;
      const found = this.renamed.get(value) ?? value;
      if (found.type) found.type = halfType(found);
      return found;
    });
  }

  private half(value: Value | null): Value | null {
    if (!value) return null;
    const found = this.renamed.get(value);
    if (found || value.constant?.type !== 'float32') return found ?? value;
    const made = new Replacement('').constant(`${value.name}_half`, halfTensor(value.constant));
    this.renamed.set(value, made);
    return made;
  }
}

const halfAttribute = (attribute: Attribute): Attribute =>
  attribute.type === 'tensor' && attribute.value.type === 'float32'
    ? { type: 'tensor', value: halfTensor(attribute.value) }
    : attribute;

/** As it is read, and not kept, as the values of `noise`. */
const halfTensor = (tensor: TensorValue): TensorValue<'float16'> => ({
  type: 'float16',
  dims: tensor.dims,
  get data() {
    const floats = tensor.data as Float32Array;
    const halves = new Uint16Array(floats.length);
    for (let i = 0; i < floats.length; i++) halves[i] = toFloat16(floats[i] as number);
    return halves;
  },
});
