import { ModelProto } from '../../../build/onnx.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import { convertVersion } from '../../../src/tools/convert/index.js';
import { modelOf } from '../../../src/tools/model-of.js';
import { bytesIn, type Judge } from './judge-of.js';

/** ONNX's version converter, which takes the defaults of inputs for constants: https://onnx.ai/onnx/api/version_converter.html */
export const convertJudge: Judge = {
  convert_version: async (given) => {
    const { proto } = await convertVersion(modelOf(bytesIn(given, 'model')), given.target as number, {
      fixDefaults: true,
    });
    return encodeExactly(ModelProto, proto);
  },
};
