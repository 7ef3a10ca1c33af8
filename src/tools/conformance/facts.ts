import { ModelProto, type NodeProto, type ValueInfoProto } from '../../../build/onnx.js';
import { operatorName } from '../../graph/walk.js';
import { toNumber } from '../../model/int64.js';
import { decode } from '../../model/read-protobuf.js';
import { DimSymbols, readType } from '../../model/types.js';
import { bodiesOf, constantsOf } from '../surgery/bodies.js';
import type { Border } from './values.js';

/**
 * Facts about a model for the report and for running it. They are read without the runtime, which may refuse the model.
 */
export interface Facts {
  /** The operators of its nodes except the model's functions, sorted: `Conv`, `com.microsoft.Gelu`. */
  readonly operators: readonly string[];
  /** The opsets that the model imports, by domain. */
  readonly opsets: Readonly<Record<string, number>>;
  readonly inputs: readonly Border[];
  readonly outputs: readonly Border[];
  /** Whether some nodes draw random numbers, so that only types and shapes of outputs can be compared. */
  readonly isRandom: boolean;
}

const ONNX = 'ai.onnx';

const DRAWN = /^(Bernoulli|Multinomial|Random.*)$/;

/**
 * Reads the facts of a serialized model.
 * @throws SardonyxError INVALID_MODEL if the bytes are not a model
 */
export function factsOf(bytes: Uint8Array): Facts {
  const model = decode(ModelProto, bytes, 'ONNX model');
  const { graph } = model;
  const nodes = [...bodiesOf(model)].flatMap(({ node }) => node);
  const local = new Set(model.functions.map(({ domain, name }) => nameOf({ domain, opType: name })));
  const called = new Set(nodes.map(nameOf));
  const symbols = new DimSymbols();
  const defaults = new Set(graph ? constantsOf(graph) : []);
  const borderOf = ({ name, type }: ValueInfoProto): Border => {
    const read = readType(type, symbols, name);
    return { name, ...(read && { type: read }), ...(defaults.has(name) && { constant: true }) };
  };
  return {
    operators: [...called].filter((name) => !local.has(name)).sort(),
    opsets: Object.fromEntries(model.opsetImport.map(({ domain, version }) => [domain || ONNX, toNumber(version)])),
    inputs: graph?.input.map(borderOf) ?? [],
    outputs: graph?.output.map(borderOf) ?? [],
    isRandom: nodes.some(({ opType }) => DRAWN.test(opType)),
  };
}

const nameOf = ({ domain, opType }: Pick<NodeProto, 'domain' | 'opType'>): string =>
  operatorName({ domain: domain === ONNX ? '' : domain, op: opType });
