import { FunctionProto, GraphProto, ModelProto, NodeProto } from '../../../build/onnx.js';
import { decodeExactly } from '../../../src/model/document/decode.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import { parseFunction, parseGraph, parseModel, parseNode, toText } from '../../../src/tools/text.js';
import { type Arguments, bytesIn, type Judge } from './judge-of.js';

type Decoder<T> = Parameters<typeof decodeExactly<T>>[0];

const printed = (type: Decoder<Parameters<typeof toText>[0]>) => (given: Arguments) => {
  const message = decodeExactly(type, bytesIn(given, 'proto'), 'message');
  try {
    return toText(message);
  } catch (error) {
    // What ONNX's printer raises where a tensor's bytes are not as many as its shape takes: conftest.py.
    throw new Error(`InferenceError: ${(error as Error).message}`);
  }
};

/** ONNX's text syntax: parser_test.py, printer_test.py. */
export const textJudge: Judge = {
  parse_model: ({ text }) => encodeExactly(ModelProto, parseModel(text as string).proto),
  parse_graph: ({ text }) => encodeExactly(GraphProto, parseGraph(text as string)),
  parse_function: ({ text }) => encodeExactly(FunctionProto, parseFunction(text as string)),
  parse_node: ({ text }) => encodeExactly(NodeProto, parseNode(text as string)),
  model_to_text: printed(ModelProto),
  graph_to_text: printed(GraphProto),
  function_to_text: printed(FunctionProto),
  node_to_text: printed(NodeProto),
};
