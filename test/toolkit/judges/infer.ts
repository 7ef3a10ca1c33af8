import { readFileSync, writeFileSync } from 'node:fs';
import { AttributeProto, FunctionProto, ModelProto, TypeProto } from '../../../build/onnx.js';
import { decodeExactly } from '../../../src/model/document/decode.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import { inferFunctionOutputTypes, inferShapes } from '../../../src/tools/infer/index.js';
import { modelOf } from '../../../src/tools/model-of.js';
import { type Arguments, bytesIn, type Judge } from './judge-of.js';

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

/** Shape inference: shape_inference_test.py, data_propagation_test.py and others. */
export const inferJudge: Judge = {
  infer_shapes: (given) => inferred(bytesIn(given, 'model'), given),
  infer_shapes_path: async (given) =>
    writeFileSync(given.output as string, await inferred(readFileSync(given.path as string), given)),
  infer_function_output_types: async (given) => {
    const definition = decodeExactly(FunctionProto, bytesIn(given, 'function_proto'), 'function');
    const types = await inferFunctionOutputTypes(
      definition,
      messages(TypeProto, given, 'input_types'),
      messages(AttributeProto, given, 'attributes'),
    );
    return types.map((type) => encodeExactly(TypeProto, type));
  },
};
