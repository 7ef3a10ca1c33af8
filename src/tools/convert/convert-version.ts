import {
  FunctionProto,
  type GraphProto,
  ModelProto,
  type NodeProto,
  OperatorSetIdProto,
  TrainingInfoProto,
} from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { functionKey } from '../../graph/walk.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { checkModel } from '../check-document.js';
import { withProto } from '../model-of.js';
import { domainOf, NEWEST } from '../schemas/domains.js';
import { type Conversion, convertBody, convertGraph, type Place } from './convert-graph.js';
import { knownOf } from './infer-known.js';
import { irVersionOf } from './ir-versions.js';
import { type KnownModel, NOTHING } from './known.js';
import { namesIn } from './names.js';
import { ConversionError, type Obstacle } from './obstacle.js';

/** Options of `convertVersion`. */
export interface ConvertOptions {
  /** The domain to convert: `''` (`ai.onnx`, the default) or `ai.onnx.ml`. */
  readonly domain?: '' | 'ai.onnx' | 'ai.onnx.ml';
  /** The IR version of the result. Default: the version that the opsets and the model's features need. */
  readonly ir?: number;
  /**
   * Whether inputs with default values count as constants, which may become attributes. They are no longer inputs of
   * the result. Default: false, as callers may replace these values.
   */
  readonly fixDefaults?: boolean;
}

/** Domains whose operators can be converted. */
const DOMAINS: readonly string[] = ['', 'ai.onnx.ml'];

/**
 * Converts a model to another opset, newer or older, including functions and subgraphs. The result shares the unchanged
 * parts with the original.
 * @throws ConversionError if some nodes cannot be converted; SardonyxError INVALID_ARGUMENT for an unknown domain or
 * opset
 */
export async function convertVersion(model: Model, opset: number, options: ConvertOptions = {}): Promise<Model> {
  const domain = domainOf(options.domain ?? '');
  checkTarget(domain, opset);
  const { proto } = model;
  const converted = isAt(proto, domain, opset) ? proto : await convertModel(model, domain, opset, options);
  const irVersion = options.ir ?? (converted === proto ? proto.irVersion : await leastIr(model, converted));
  const isSame = converted === proto && toNumber(irVersion) === toNumber(proto.irVersion);
  return withProto(model, isSame ? proto : new ModelProto({ ...converted, irVersion }));
}

function checkTarget(domain: string, opset: number): void {
  const newest = DOMAINS.includes(domain) ? NEWEST.get(domain) : undefined;
  if (newest === undefined)
    throw new SardonyxError('INVALID_ARGUMENT', `unsupported domain "${domain}"; expected ai.onnx or ai.onnx.ml`);
  if (!(Number.isInteger(opset) && opset >= 1 && opset <= newest))
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `${domain || 'ai.onnx'} has no opset ${opset}; expected 1 to ${newest}`,
    );
}

const versionIn = (imports: readonly OperatorSetIdProto[], domain: string): number | undefined => {
  const found = imports.find((entry) => domainOf(entry.domain) === domain);
  return found && toNumber(found.version);
};

/** The imported opset. A model without imports uses opset 1. */
const sourceOf = ({ opsetImport }: ModelProto, domain: string): number | undefined =>
  versionIn(opsetImport, domain) ?? (opsetImport.length === 0 && domain === '' ? 1 : undefined);

function isAt(proto: ModelProto, domain: string, opset: number): boolean {
  const all = [proto, ...proto.functions].map(({ opsetImport }) => versionIn(opsetImport, domain));
  return all.every((version) => version === undefined || version === opset);
}

async function convertModel(
  model: Model,
  domain: string,
  target: number,
  options: ConvertOptions,
): Promise<ModelProto> {
  const { proto } = model;
  const known = await knownOf(model);
  const c: Conversion = {
    domain,
    target,
    fixesDefaults: options.fixDefaults ?? false,
    irVersion: toNumber(proto.irVersion),
    functions: new Set(proto.functions.map(keyOfFunction)),
    names: namesIn(proto),
    obstacles: [],
  };
  const source = sourceOf(proto, domain) ?? target;
  const main = (graph: GraphProto | null | undefined, path: string) =>
    graph ? convertGraph(graph, { source, path, known: known.graph, outer: undefined }, c) : null;
  const graph = main(proto.graph, 'graph');
  const converted = new ModelProto({
    ...proto,
    opsetImport: withPlain(importing(proto.opsetImport, domain, target), graph?.node ?? []),
    graph,
    functions: proto.functions.map((f, i) => convertFunction(f, `functions[${i}]`, known, c)),
    trainingInfo: proto.trainingInfo.map((info, i) => {
      const part = (name: 'initialization' | 'algorithm') => main(info[name], `training_info[${i}].${name}`);
      return new TrainingInfoProto({ ...info, initialization: part('initialization'), algorithm: part('algorithm') });
    }),
  });
  refuse(c.obstacles, source, target);
  return converted;
}

const keyOfFunction = ({ domain, name, overload }: FunctionProto) => functionKey(domainOf(domain), name, overload);

function refuse([first, ...others]: readonly Obstacle[], source: number, target: number): void {
  if (!first) return;
  const obstacles: [Obstacle, ...Obstacle[]] = [first, ...others];
  const reached = obstacles.map(({ reaches }) => reaches);
  throw new ConversionError(obstacles, target, target < source ? Math.max(...reached) : Math.min(...reached));
}

function importing(imports: readonly OperatorSetIdProto[], domain: string, version: number): OperatorSetIdProto[] {
  if (imports.length === 0 && domain === '') return [new OperatorSetIdProto({ domain, version })];
  return imports.map((entry) =>
    domainOf(entry.domain) === domain ? new OperatorSetIdProto({ ...entry, version }) : entry,
  );
}

/** The opset of ai.onnx when ai.onnx.ml 5 was released. */
const PLAIN_OPSET = 21;

/** Adds an import of ai.onnx if recipes replaced operators of ai.onnx.ml by operators of ai.onnx. */
function withPlain(imports: readonly OperatorSetIdProto[], nodes: readonly NodeProto[]): OperatorSetIdProto[] {
  const isMissing =
    versionIn(imports, '') === undefined && imports.length > 0 && nodes.some(({ domain }) => domainOf(domain) === '');
  return isMissing ? [...imports, new OperatorSetIdProto({ domain: '', version: PLAIN_OPSET })] : [...imports];
}

function convertFunction(f: FunctionProto, path: string, known: KnownModel, c: Conversion): FunctionProto {
  const source = versionIn(f.opsetImport, c.domain);
  if (source === undefined || source === c.target) return f;
  const place: Place = { source, path, known: known.functions.get(keyOfFunction(f)) ?? NOTHING, outer: undefined };
  const { node } = convertBody({ node: f.node, outputs: f.output }, place, c);
  return new FunctionProto({ ...f, node, opsetImport: withPlain(importing(f.opsetImport, c.domain, c.target), node) });
}

/**
 * The IR version that the new opsets require, at least the old one. For older opsets, the lowest version that supports
 * all features of the model.
 */
async function leastIr(model: Model, after: ModelProto): Promise<number> {
  const was = toNumber(model.proto.irVersion);
  const least = irVersionOf(after);
  if (irVersionOf(model.proto) <= least) return Math.max(was, least);
  // Before version 4, all initializers must be inputs.
  for (let version = Math.max(least, Math.min(was, 4)); version < was; version++)
    if (await suits(version, model, after)) return version;
  return was;
}

/** Whether the model uses no feature of a later IR version. */
async function suits(irVersion: number, model: Model, after: ModelProto): Promise<boolean> {
  const issues = await checkModel(withProto(model, new ModelProto({ ...after, irVersion })), {
    limit: Number.MAX_SAFE_INTEGER,
  });
  return !issues.some(({ code }) => code === 'FEATURE');
}
