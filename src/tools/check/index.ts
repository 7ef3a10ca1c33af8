import type {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { type ErrorCode, SardonyxError } from '../../base/errors.js';
import type { ExternalData } from '../../model/external-data.js';
import { toNumber } from '../../model/int64.js';
import { domainOf, NEWEST } from '../schemas/schemas.js';
import type { Context, Surroundings } from './context.js';
import { type Issue, newReport, type Report } from './issue.js';
import { functionsOf } from './rules/function.js';
import { MAX_IR_VERSION, opsetsOf } from './rules/model.js';
import { newScope } from './scope.js';
import {
  checkNode as lookAtNode,
  walkAttribute,
  walkFunction,
  walkGraph,
  walkModel,
  walkSparseTensor,
  walkTensor,
  walkValueInfo,
} from './walk.js';

export type { Issue, IssueCode } from './issue.js';

export interface CheckOptions {
  /** Whether shapes and types are inferred, too, by the rules of the operators that the runtime knows. */
  readonly full?: boolean;
  /** Whether element types are held to the signatures of the operators; by default they are. */
  readonly types?: boolean;
  /** Whether a function may import another version of an operator set than the model. */
  readonly skipOpsetCompatibility?: boolean;
  /** Whether operators of other domains than ONNX's must be known: functions of the model are. */
  readonly customDomains?: boolean;
  /** How many issues are reported at most; 1000 if left out. */
  readonly limit?: number;
  /** Finds external data; without it, only what the model says of them is looked at. */
  readonly externalData?: ExternalData;
}

const LIMIT = 1000;

/** IR version 1 and 2 import nothing: they are written in ai.onnx 1. */
const FIRST_OPSET = new Map([['', 1]]);

/** All violations of ONNX's rules in a model, in one pass. Nothing is thrown for a bad model. */
export async function checkModel(model: ModelProto, options: CheckOptions = {}): Promise<Issue[]> {
  const report = newReport(options.limit ?? LIMIT);
  walkModel(model, contextOf(model, options, report));
  if (!options.full) return report.issues;
  const { inferIssues } = await import('./infer.js');
  return [...report.issues, ...(await inferIssues(model, report.issues, options.externalData))].slice(0, report.limit);
}

/** Throws what `checkModel` finds, if there are errors among it. */
export async function assertModel(model: ModelProto, options: CheckOptions = {}): Promise<void> {
  const issues = await checkModel(model, options);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new InvalidModelError(issues, errors as [Issue, ...Issue[]]);
}

/** A model that breaks rules of ONNX: all of them are in `issues`. */
export class InvalidModelError extends SardonyxError {
  constructor(
    readonly issues: readonly Issue[],
    [first, ...others]: readonly [Issue, ...Issue[]],
  ) {
    const rest = others.length > 0 ? ` (and ${others.length} more)` : '';
    const { node, operator, value } = first;
    const place = { ...(node && { node }), ...(operator && { operator }), ...(value && { value }) };
    super('INVALID_MODEL' satisfies ErrorCode, `${first.path}: ${first.message}${rest}`, place);
  }
}

function contextOf(model: ModelProto, options: CheckOptions, report: Report): Context {
  const irVersion = toNumber(model.irVersion);
  const opsets = opsetsOf(model.opsetImport);
  return {
    ...surroundings(options, report),
    irVersion,
    functions: functionsOf(model.functions),
    configurations: new Map(model.configuration.map(({ name, numDevices }) => [name, numDevices])),
    ...nowhere,
    opsets: opsets.size === 0 && irVersion < 3 ? FIRST_OPSET : opsets,
    scope: newScope(),
  };
}

const nowhere = { path: undefined, node: undefined, within: undefined, declared: undefined, depth: 0 } as const;

const surroundings = (options: CheckOptions, report: Report) =>
  ({
    report,
    externalData: options.externalData,
    types: options.types ?? true,
    skipOpsetCompatibility: options.skipOpsetCompatibility ?? false,
    customDomains: options.customDomains ?? false,
  }) satisfies Partial<Surroundings>;

/** What stands around a message that is looked at by itself. */
export interface PartOptions extends Omit<CheckOptions, 'full'> {
  readonly irVersion?: number;
  /** Versions of the domains that are imported: the newest of ONNX's own if left out. */
  readonly opsets?: Iterable<readonly [domain: string, version: number]>;
  /** Values that graphs around it have. */
  readonly names?: readonly string[];
}

/** Looks at one message, with nothing of a model around it. */
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
/** By itself: whether somebody makes its inputs is not looked at. */
export const checkNode = part<NodeProto>(lookAtNode);
export const checkFunction = part<FunctionProto>((definition, c) => walkFunction(definition, c, c.opsets));
export const checkGraph = part<GraphProto>((graph, c) =>
  walkGraph(graph, { ...c, scope: newScope(c.scope), within: 'main' }),
);
