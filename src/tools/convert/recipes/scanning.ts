import { type AttributeProto, GraphProto, NodeProto, ValueInfoProto } from '../../../../build/onnx.js';
import { ofAnyShape, tensorType, type ValueType } from '../../../graph/types.js';
import { writeType } from '../../../model/write-attributes.js';
import { elementTypeOf } from '../../../tensor/element-types.js';
import { attributeOf, block, graph, int, ints, numbersAt, withoutAttributes } from '../node.js';
import { draftOf, type Recipe, type Recipes } from '../step.js';

const info = (name: string, type: ValueType | undefined): ValueInfoProto =>
  new ValueInfoProto(type ? { name, type: writeType(ofAnyShape(type)) } : { name });

const declared = (body: GraphProto | null | undefined, i: number): ValueType | undefined => {
  const element = elementTypeOf(body?.output[i]?.type?.tensorType?.elemType ?? 0);
  return element && tensorType(element);
};

const withDirections = (attributes: readonly AttributeProto[]): AttributeProto[] =>
  attributes.map((a) => (a.name === 'directions' ? ({ ...a, name: 'scan_input_directions' } as AttributeProto) : a));

/** Scan 8 scans each sequence of a batch, which becomes a scan over the batch with an inner scan. */
const alongBatch: Recipe = ({ node, typeOf, fresh }) => {
  const [lengths, ...operands] = node.input;
  if (lengths || operands.length === 0) return block('Scan 9 does not support sequence_lens');
  const body = attributeOf(node, 'body')?.g;
  const [input, output] = [operands, node.output].map((names) => names.map((name) => fresh(`${name}_sequence`))) as [
    string[],
    string[],
  ];
  const sequence = new NodeProto({ ...node, name: '', input, output, attribute: withDirections(node.attribute) });
  const sequences = new GraphProto({
    name: `${body?.name}_of_a_batch`,
    node: [sequence],
    input: input.map((name, i) => info(name, typeOf(operands[i] as string))),
    output: output.map((name, i) => info(name, declared(body, i))),
  });
  const attribute = [graph('body', sequences), int('num_scan_inputs', operands.length)];
  return [new NodeProto({ ...node, input: operands, attribute })];
};

const PLAIN = ['scan_input_axes', 'scan_output_axes', 'scan_output_directions'];

/** Adds a batch axis of size 1. */
const inBatch: Recipe = (step) => {
  const { node, fresh } = step;
  for (const name of PLAIN)
    if (numbersAt(node, name)?.some((value) => value !== 0))
      return block(`${name}=${numbersAt(node, name)} needs Scan 9`);
  const draft = draftOf(step);
  const axes = ints('axes', [0]);
  const operands = node.input.map((name, _i) => {
    return draft.emit('Unsqueeze', [name], [axes]);
  });
  const output = node.output.map((name) => name && fresh(`${name}_batch`));
  const attribute = withoutAttributes(node, ...PLAIN).attribute.map((a) =>
    a.name === 'scan_input_directions' ? ints('directions', numbersAt(node, a.name) ?? []) : a,
  );
  const scan = new NodeProto({ ...node, input: ['', ...operands], output, attribute });
  const after = node.output.flatMap((name, i) =>
    name ? [new NodeProto({ opType: 'Squeeze', input: [output[i] as string], output: [name], attribute: [axes] })] : [],
  );
  return [...draft.nodes, scan, ...after];
};

/** Refuses negative axes, which exist since version 11. */
const fromStart: Recipe = ({ node }) => {
  for (const name of PLAIN.slice(0, 2))
    if (numbersAt(node, name)?.some((axis) => axis < 0))
      return block(`negative axes (${name}=${numbersAt(node, name)}) need Scan 11`);
  return [node];
};

/** https://onnx.ai/onnx/operators/onnx__Scan.html */
export const SCANNING: Recipes = {
  'Scan 9': { up: alongBatch, down: inBatch },
  'Scan 11': { down: fromStart },
};
