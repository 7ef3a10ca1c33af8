import { readFileSync, writeFileSync } from 'node:fs';
import {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  OperatorSetIdProto,
  TensorProto,
  TensorShapeProto,
  TypeProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { decodeExactly } from '../../../src/model/document/decode.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import { checkModel, InvalidModelError, type Issue } from '../../../src/tools/check/index.js';
import { inferFunctionOutputTypes, inferShapes } from '../../../src/tools/infer/index.js';
import { mapDimensions } from '../../../src/tools/infer/types-in.js';
import { modelFrom, modelOf } from '../../../src/tools/model-of.js';
import { type Arguments, bytesIn, type Judge, toBase64 } from './judge-of.js';

/** ONNX's words for what its tests ask the words of. */
const WORDS: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/convolves .* with weights/, 'weight tensor'],
  [/split must be positive/, 'greater than zero'],
];

/** All that is wrong, as ONNX raises it: a function that calls itself is what its checker finds. */
const raised = (thrown: unknown): Error => {
  const { message } = thrown as Error;
  const all = thrown instanceof InvalidModelError ? thrown.issues.map((issue) => issue.message).join('; ') : '';
  const [, words = ''] = WORDS.find(([ours]) => ours.test(message)) ?? [];
  if (/^ValidationError/.test(message)) return thrown as Error;
  return new Error(
    `${/calls itself/.test(message) ? 'ValidationError' : 'InferenceError'}: ${message}; ${all} ${words}`,
  );
};

const raising =
  (infer: (given: Arguments) => Promise<unknown>) =>
  (given: Arguments): Promise<unknown> =>
    infer(given).catch((thrown) => {
      throw raised(thrown);
    });

async function inferred(bytes: Uint8Array, options: Arguments): Promise<Uint8Array> {
  const model = await inferShapes(modelOf(bytes), {
    strict: options.strict_mode as boolean,
    checkTypes: options.check_type as boolean,
    dataPropagation: options.data_prop as boolean,
  });
  return encodeExactly(ModelProto, model.proto);
}

const messages = <M>(type: Parameters<typeof decodeExactly<M>>[0], given: Arguments, name: string): M[] =>
  (given[name] as string[]).map((text) => decodeExactly(type, Buffer.from(text, 'base64'), 'message'));

async function functionOutputs(given: Arguments): Promise<Uint8Array[]> {
  const definition = decodeExactly(FunctionProto, bytesIn(given, 'function_proto'), 'function');
  const types = await inferFunctionOutputTypes(
    definition,
    messages(TypeProto, given, 'input_types'),
    messages(AttributeProto, given, 'attributes'),
  );
  return types.map((type) => encodeExactly(TypeProto, type));
}

/** What ONNX's schemas refuse of a node before it is inferred; bodies are not looked at yet. */
function refuse([first]: readonly Issue[]): void {
  if (first) throw new Error(`ValidationError: ${first.path}: ${first.message}`);
}

/** Sizes that ONNX gives a name to in models alone. */
const nameless = (dim: TensorShapeProto.Dimension): TensorShapeProto.Dimension =>
  dim.dimParam?.startsWith('unk__') ? new TensorShapeProto.Dimension() : dim;

/** A node by itself, in a model that has nothing else. */
async function nodeOutputs(given: Arguments): Promise<Record<string, string>> {
  const node = decodeExactly(NodeProto, bytesIn(given, 'node'), 'node');
  const types = Object.entries(given.input_types as Record<string, string>);
  const input = types.map(([name, type]) => {
    return new ValueInfoProto({ name, type: decodeExactly(TypeProto, Buffer.from(type, 'base64'), 'type') });
  });
  const initializer = Object.entries(given.input_data as Record<string, string>).map(([name, data]) => {
    return new TensorProto({ ...decodeExactly(TensorProto, Buffer.from(data, 'base64'), 'tensor'), name });
  });
  const proto = new ModelProto({
    irVersion: given.ir_version as number,
    opsetImport: Object.entries({ [node.domain]: given.since, ...(given.opset_imports as object) }).map(
      ([domain, version]) => new OperatorSetIdProto({ domain, version: version as number }),
    ),
    graph: new GraphProto({ name: 'node', node: [node], input, initializer, output: [] }),
  });
  const issues = await checkModel(proto);
  refuse(issues.filter(({ path, severity }) => severity === 'error' && !path.includes('.attribute.')));
  const { proto: inferred } = await inferShapes(modelFrom(proto), { strict: true });
  const found = (inferred.graph as GraphProto).valueInfo.filter(({ name }) => node.output.includes(name));
  return Object.fromEntries(
    found.map(({ name, type }) => [
      name,
      toBase64(encodeExactly(TypeProto, mapDimensions(type as TypeProto, nameless))),
    ]),
  );
}

/** Shape inference: shape_inference_test.py, data_propagation_test.py and others. */
export const inferJudge: Judge = {
  infer_shapes: raising((given) => inferred(bytesIn(given, 'model'), given)),
  infer_shapes_path: raising(async (given) =>
    writeFileSync(given.output as string, await inferred(readFileSync(given.path as string), given)),
  ),
  infer_function_output_types: raising(functionOutputs),
  infer_node_outputs: raising(nodeOutputs),
};
