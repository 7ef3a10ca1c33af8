import type {
  AttributeProto,
  FunctionProto,
  GraphProto,
  NodeProto,
  SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { domainOf, NEWEST } from '../schemas/domains.js';
import type { Context } from './context.js';
import { type Issue, newReport } from './issue.js';
import { type CheckOptions, LIMIT, nowhere, surroundings } from './options.js';
import { MAX_IR_VERSION } from './rules/model.js';
import { newScope } from './scope.js';
import {
  checkNode as lookAtNode,
  walkAttribute,
  walkFunction,
  walkGraph,
  walkSparseTensor,
  walkTensor,
  walkValueInfo,
} from './walk.js';

/** Options for checking a message on its own, such as a node. */
export interface PartOptions extends Omit<CheckOptions, 'full'> {
  readonly irVersion?: number;
  /** Versions of the imported domains. Default: the newest that ONNX defines. */
  readonly opsets?: Iterable<readonly [domain: string, version: number]>;
  /** Names of values in the enclosing graphs. */
  readonly names?: readonly string[];
}

/** Makes a function that checks one message without a model. */
const part =
  <M>(walk: (message: M, c: Context) => void) =>
  (message: M, options: PartOptions = {}): Issue[] => {
    const report = newReport(options.limit ?? LIMIT);
    const scope = newScope();
    for (const name of options.names ?? []) scope.values.set(name, undefined);
    walk(message, {
      ...surroundings(options, report),
      irVersion: options.irVersion ?? MAX_IR_VERSION,
      functions: new Map(),
      functionNames: new Set(),
      configurations: undefined,
      ...nowhere,
      opsets: new Map(Array.from(options.opsets ?? NEWEST, ([domain, version]) => [domainOf(domain), version])),
      scope,
    });
    return report.issues;
  };

export const checkValueInfo = part<ValueInfoProto>(walkValueInfo);
export const checkTensor = part<TensorProto>(walkTensor);
export const checkSparseTensor = part<SparseTensorProto>(walkSparseTensor);
export const checkAttribute = part<AttributeProto>(walkAttribute);
/** Checks a node on its own. It does not check that something produces the node's inputs. */
export const checkNode = part<NodeProto>(lookAtNode);
export const checkFunction = part<FunctionProto>((definition, c) => walkFunction(definition, c, c.opsets));
export const checkGraph = part<GraphProto>((graph, c) =>
  walkGraph(graph, { ...c, scope: newScope(c.scope), within: 'main' }),
);
