import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { SardonyxError } from '../../../src/base/errors.js';
import type { ExternalData } from '../../../src/model/external-data.js';
import { decode } from '../../../src/model/read-protobuf.js';
import * as check from '../../../src/tools/check/index.js';

/** What a request of ONNX's suites carries: messages in base64. */
type Arguments = Readonly<Record<string, unknown>>;

/** ONNX's words for what its tests ask the words of. */
const WORDS: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/calls itself/, 'Cycle detected in model-local function references'],
  [/channels do not divide into \d+ groups/, 'Input channels C must be divisible by group for ConvTranspose'],
];

/** What ONNX's inference finds, and not its checker. */
const BY_INFERENCE: readonly check.IssueCode[] = ['INFERENCE', 'TYPE_MISMATCH', 'SHADOWED'];

function refuseErrors(issues: readonly check.Issue[]): true {
  const found = issues.find(({ severity }) => severity === 'error');
  if (!found) return true;
  const kind = BY_INFERENCE.includes(found.code) ? 'InferenceError' : 'ValidationError';
  const [, words = ''] = WORDS.find(([ours]) => ours.test(found.message)) ?? [];
  throw new Error(`${kind}: ${found.path}: ${found.message} (${found.code}) ${words}`);
}

const bytesOf = (base64: unknown): Uint8Array => Buffer.from(base64 as string, 'base64');

type Decoder<M> = Parameters<typeof decode<M>>[0];

const part =
  <M>(message: Decoder<M>, checkIt: (message: M, options: check.PartOptions) => check.Issue[]) =>
  ({ proto, ir_version, opset_imports, names }: Arguments) =>
    refuseErrors(
      checkIt(decode(message, bytesOf(proto), 'message'), {
        irVersion: ir_version as number,
        opsets: Object.entries(opset_imports as Record<string, number>),
        names: names as string[],
        // ONNX holds types to signatures in a full check alone.
        types: false,
      }),
    );

function modelIn(bytes: Uint8Array): ModelProto {
  try {
    return decode(ModelProto, bytes, 'ONNX model');
  } catch (error) {
    throw new Error(`ValueError: ${(error as Error).message}`);
  }
}

async function checkModel(bytes: Uint8Array, options: Arguments, externalData?: ExternalData): Promise<true> {
  const full = options.full_check as boolean;
  return refuseErrors(
    await check.checkModel(modelIn(bytes), {
      full,
      types: full,
      skipOpsetCompatibility: options.skip_opset_compatibility_check as boolean,
      customDomains: options.check_custom_domain as boolean,
      ...(externalData && { externalData }),
    }),
  );
}

/** Files beside a model. */
const beside =
  (path: string): ExternalData =>
  (location, offset, length) => {
    try {
      const bytes = readFileSync(join(dirname(path), location));
      if (offset + length <= bytes.length) return () => bytes.subarray(offset, offset + length);
    } catch (cause) {
      throw new SardonyxError('EXTERNAL_DATA', `"${location}" cannot be read`, {}, { cause });
    }
    throw new SardonyxError('EXTERNAL_DATA', `"${location}" is too short`);
  };

/** The functions of the checker that ONNX's suites ask for: https://onnx.ai/onnx/api/checker.html */
export const CHECK: Readonly<Record<string, (request: Arguments) => unknown>> = {
  check_model: (request) => checkModel(bytesOf(request.model), request),
  check_model_path: (request) => checkModel(readFileSync(`${request.path}`), request, beside(`${request.path}`)),
  check_value_info: part(ValueInfoProto, check.checkValueInfo),
  check_tensor: part(TensorProto, check.checkTensor),
  check_sparse_tensor: part(SparseTensorProto, check.checkSparseTensor),
  check_attribute: part(AttributeProto, check.checkAttribute),
  check_node: part(NodeProto, check.checkNode),
  check_function: part(FunctionProto, check.checkFunction),
  check_graph: part(GraphProto, check.checkGraph),
};
