import type { Graph, Node, Value } from '../../../src/graph/graph.js';
import { subgraphs } from '../../../src/graph/walk.js';
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';

export type ElementTypes = ReadonlyMap<Value, ElementType>;

type Rule = (node: Node, of: (input: number) => ElementType | undefined) => readonly (ElementType | undefined)[];

const always =
  (...types: readonly ElementType[]): Rule =>
  () =>
    types;

const asInput =
  (input: number): Rule =>
  (_, of) => [of(input)];

const integer = always('int64');
const boolean = always('bool');

const byNumber = new Map(Object.entries(ELEMENTS).map(([type, { onnx }]) => [onnx as number, type as ElementType]));

/** Outputs that do not have the element type of the first input. */
const RULES: Readonly<Record<string, Rule>> = {
  Cast: ({ attributes: { to } }) => [byNumber.get(to?.value as number)],
  ...{ Shape: integer, Size: integer, ArgMax: integer, ArgMin: integer, NonZero: integer, NonMaxSuppression: integer },
  ...{ Equal: boolean, Greater: boolean, GreaterOrEqual: boolean, Less: boolean, LessOrEqual: boolean, IsNaN: boolean },
  TopK: (_, of) => [of(0), 'int64'],
  ...{ Where: asInput(1), DequantizeLinear: asInput(1), GatherBlockQuantized: asInput(2) },
  DynamicQuantizeLinear: always('uint8', 'float32', 'uint8'),
  ...{ MatMulInteger: always('int32'), ConvInteger: always('int32') },
  ConstantOfShape: ({ attributes: { value } }) => [value?.type === 'tensor' ? value.value.type : 'float32'],
  Constant: ({ attributes: { value } }) => [value?.type === 'tensor' ? value.value.type : undefined],
};

/** The element types of all tensors, as far as the layouts here need it: a node's are those of its first input, or by its rule. */
export function elementTypes(graph: Graph): ElementTypes {
  const known = new Map<Value, ElementType>();
  visit(graph, known);
  return known;
}

function visit(graph: Graph, known: Map<Value, ElementType>): void {
  for (const input of graph.inputs) if (input.type?.kind === 'tensor') known.set(input, input.type.element);
  const of = (value: Value | null | undefined) => value && (value.constant?.type ?? known.get(value));
  for (const node of graph.nodes) {
    const inner = subgraphs(node).map(([, subgraph]) => subgraph);
    for (const subgraph of inner) visit(subgraph, known);
    const types = inner[0]
      ? inner[0].outputs.map((output) => of(output) ?? undefined)
      : (RULES[node.op]?.(node, (i) => of(node.inputs[i]) ?? undefined) ?? node.outputs.map(() => of(node.inputs[0])));
    node.outputs.forEach((output, i) => {
      const type = types[i];
      if (output && type) known.set(output, type);
    });
  }
}
