import type { FunctionProto, ModelProto } from '../../../../build/onnx.js';
import { changedList, withChanges } from '../../../model/document/changed.js';
import type { Model } from '../../../model/document/model.js';
import { withProto } from '../../model-of.js';
import { domainOf } from '../../schemas/domains.js';
import { type Body, bodiesIn, bodiesOf } from '../bodies.js';
import { filtered } from '../filtered.js';
import { functionsByKey, functionsCalledIn, keyOf } from '../functions.js';
import { quoted, refused } from '../refuse.js';
import { type Container, containerOf } from './container.js';
import { type ConvertVersion, converted } from './convert-functions.js';
import { withCallsExpanded } from './expand-calls.js';
import { addedImports, opsetsOf } from './opsets.js';
import { refuseEndless } from './refuse-endless.js';
import { schemaFunctions } from './schema-functions.js';

/** Options of `inlineFunctions`. */
export interface InlineOptions {
  /** Domains and names of the functions to inline. Default: all. */
  readonly ids?: readonly (readonly [domain: string, name: string])[];
  /** Whether `ids` lists the functions to keep instead. */
  readonly exclude?: boolean;
  /** Whether to expand activations and comparisons of ONNX that are defined as functions, too. */
  readonly schemaFunctions?: boolean;
  /**
   * Converts functions that import other opsets than the model: `convertVersion` of this module, or another function.
   */
  readonly convertVersion?: ConvertVersion;
}

/**
 * Replaces calls of a model's functions with their bodies, also in subgraphs, training information and other functions.
 * A function that imports an incompatible opset is kept unless it can be converted.
 * @throws SardonyxError INVALID_ARGUMENT for an unknown function, INVALID_MODEL for recursive functions and calls with
 * too many inputs or outputs, LIMIT if the result would be too large
 */
export async function inlineFunctions(model: Model, options: InlineOptions = {}): Promise<Model> {
  refuseEndless(model.proto);
  const own = functionsByKey(model.proto);
  const schemas = options.schemaFunctions ? schemaFunctions(opsetsOf(model.proto.opsetImport).get('') ?? 1) : [];
  const others = schemas.filter((definition) => !own.has(keyOf(definition)));
  const chosen = chosenKeys([...model.proto.functions, ...others], options);
  const proto = options.convertVersion ? await converted(model, chosen, options.convertVersion) : model.proto;
  const known = [...proto.functions, ...others].map((definition) => [keyOf(definition), definition] as const);
  const functions = new Map(known.filter(([key]) => chosen.has(key)));
  const expanded = expandedModel(proto, functions);
  const isStillCalled = stillCalled(expanded, chosen);
  return withProto(
    model,
    withChanges(expanded, {
      functions: filtered(expanded.functions, (definition) => isStillCalled(keyOf(definition))),
    }),
  );
}

function chosenKeys(functions: readonly FunctionProto[], { ids, exclude = false }: InlineOptions): Set<string> {
  const isNamed = ({ domain, name }: FunctionProto) =>
    ids?.some((id) => domainOf(id[0]) === domainOf(domain) && id[1] === name) ?? !exclude;
  for (const [domain, name] of ids ?? [])
    if (!functions.some((f) => f.name === name && domainOf(f.domain) === domainOf(domain)))
      throw refused(
        `the model has no function ${domain}.${name}; it has ${quoted(functions.map((f) => `${f.domain}.${f.name}`)) || 'none'}`,
      );
  return new Set(functions.filter((definition) => isNamed(definition) !== exclude).map(keyOf));
}

function expandedModel(proto: ModelProto, functions: ReadonlyMap<string, FunctionProto>): ModelProto {
  const expand = <B extends Body>(body: B, container: Container): B => withCallsExpanded(body, functions, container);
  const whole = containerOf(bodiesOf(withChanges(proto, { functions: [] })), proto.opsetImport);
  const { graph } = proto;
  return withChanges(proto, {
    ...(graph && { graph: expand(graph, whole) }),
    trainingInfo: changedList(proto.trainingInfo, (info) =>
      withChanges(info, {
        ...(info.initialization && { initialization: expand(info.initialization, whole) }),
        ...(info.algorithm && { algorithm: expand(info.algorithm, whole) }),
      }),
    ),
    functions: changedList(proto.functions, (definition) => {
      const container = containerOf(bodiesIn(definition), definition.opsetImport);
      const inside = expand(definition, container);
      return withChanges(inside, { opsetImport: addedImports(definition.opsetImport, container) });
    }),
    opsetImport: addedImports(proto.opsetImport, whole),
  });
}

/** Returns whether a function must be kept: it was not chosen, or one of its calls could not be inlined. */
function stillCalled(proto: ModelProto, chosen: ReadonlySet<string>): (key: string) => boolean {
  const known = functionsByKey(proto);
  const kept = [...known].filter(([key]) => !chosen.has(key)).map(([, definition]) => definition);
  const outside = [...bodiesOf(withChanges(proto, { functions: kept }))];
  const called = functionsCalledIn(outside, known);
  return (key) => !chosen.has(key) || called.has(key);
}
