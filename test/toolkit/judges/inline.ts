import { ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../../src/base/errors.js';
import { decodeExactly } from '../../../src/model/document/decode.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import { modelFrom } from '../../../src/tools/model-of.js';
import { type InlineOptions, inlineFunctions } from '../../../src/tools/surgery/index.js';
import { type Arguments, bytesIn, type Judge } from './judge-of.js';

async function inlined(given: Arguments, options: InlineOptions): Promise<Uint8Array> {
  const model = modelFrom(decodeExactly(ModelProto, bytesIn(given, 'model'), 'model'));
  try {
    return encodeExactly(ModelProto, (await inlineFunctions(model, options)).proto);
  } catch (error) {
    throw error instanceof SardonyxError ? new Error(`ValidationError: ${error.message}`) : error;
  }
}

interface Selected {
  readonly ids: [string, string][];
  readonly exclude: boolean;
  readonly schema_functions: boolean;
}

/** ONNX's inliner: inliner_test.py. */
export const inlineJudge: Judge = {
  inline_local_functions: (given) => inlined(given, {}),
  inline_selected_functions: (given) => {
    const { ids, exclude, schema_functions } = given as unknown as Selected;
    return inlined(given, { ids, exclude, schemaFunctions: schema_functions });
  },
};
