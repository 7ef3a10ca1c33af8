import {
  type FunctionProto,
  type GraphProto,
  ModelProto,
  type OperatorSetIdProto,
  type StringStringEntryProto,
  type ValueInfoProto,
} from '../../../build/onnx.js';
import { differ } from '../../graph/guards.js';
import { formatType } from '../../graph/types.js';
import { withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { DimSymbols, readType } from '../../model/types.js';
import { modelFrom } from '../model-of.js';
import { domainOf } from '../schemas/domains.js';
import { addPrefix } from './add-prefix.js';
import { bodiesIn, bodiesOf, inputsOf, outputsOf } from './bodies.js';
import { declaredIn } from './declared.js';
import { keyOf } from './functions.js';
import { joinedFiles } from './joined-files.js';
import { freshNames, valueNames } from './names.js';
import { graphOf, quoted, refused, refuseRepeated } from './refuse.js';
import { refuseMissing } from './refuse-missing.js';
import { byTable, renamedModel, renamingAll } from './rename.js';
import { between } from './restrict.js';

/** Options of `mergeModels`. */
export interface MergeOptions {
  /**
   * Pairs of an output of the first model and the input of the second that it feeds. An output can feed several inputs.
   */
  readonly map: readonly (readonly [output: string, input: string])[];
  /** The inputs of the result. Default: all unconnected inputs. */
  readonly inputs?: readonly string[];
  /** The outputs of the result. Default: all unconnected outputs. */
  readonly outputs?: readonly string[];
  /**
   * A prefix for all names of the first model. `map` uses the names without it, `inputs` and `outputs` the names with
   * it.
   */
  readonly prefix1?: string;
  /** A prefix for all names of the second model. */
  readonly prefix2?: string;
  /** The name of the resulting graph. */
  readonly name?: string;
  /** The documentation of the resulting model. */
  readonly docString?: string;
  /** The producer name of the resulting model. */
  readonly producerName?: string;
  /** The producer version of the resulting model. */
  readonly producerVersion?: string;
  /** The domain of the resulting model. */
  readonly domain?: string;
  /** The version of the resulting model. */
  readonly modelVersion?: number;
}

/**
 * Connects two models, the second after the first. IR versions and opsets must be equal. Conflicting names inside the
 * models are changed; inputs, outputs and functions must have different names, which prefixes can ensure.
 * @throws SardonyxError INVALID_ARGUMENT if the models cannot be connected
 */
export function mergeModels(first: Model, second: Model, options: MergeOptions): Model {
  refuseDifferentVersions(first.proto, second.proto);
  const { prefix1 = '', prefix2 = '' } = options;
  const map = options.map.map(([output, input]) => [prefix1 + output, prefix2 + input] as const);
  const joined = joinedFiles(prefixed(first, prefix1), prefixed(second, prefix2));
  refuseUnconnectable(graphOf(joined.first), graphOf(joined.second), map);
  const border = borderOf(graphOf(joined.first), graphOf(joined.second), map, options);
  const [a, b] = toldApart(joined.first.proto, joined.second.proto, map, border);
  const { producerName = '', producerVersion = '', domain = '', modelVersion = 0 } = options;
  const proto = new ModelProto({
    irVersion: a.irVersion,
    opsetImport: joinedBy(a.opsetImport, b.opsetImport, (entry: OperatorSetIdProto) => domainOf(entry.domain)),
    producerName,
    producerVersion,
    domain,
    modelVersion,
    graph: joinedGraphs(a.graph as GraphProto, b.graph as GraphProto, border, options),
    metadataProps: joinedMetadata(a.metadataProps, b.metadataProps),
    functions: joinedFunctions(a.functions, b.functions),
    trainingInfo: [...a.trainingInfo, ...b.trainingInfo],
    configuration: joinedBy(a.configuration, b.configuration, ({ name }) => name),
  });
  return { ...modelFrom(proto), ...joined.store };
}

type Connections = MergeOptions['map'];

const prefixed = (model: Model, prefix: string): Model => (prefix ? addPrefix(model, prefix) : model);

function refuseDifferentVersions(a: ModelProto, b: ModelProto): void {
  const [ir1, ir2] = [toNumber(a.irVersion), toNumber(b.irVersion)];
  if (ir1 !== ir2) throw refused(`the models have different IR versions, ${ir1} and ${ir2}; convert one of them first`);
  const versions = new Map(a.opsetImport.map(({ domain, version }) => [domainOf(domain), toNumber(version)]));
  for (const { domain, version } of b.opsetImport) {
    const other = versions.get(domainOf(domain)) ?? toNumber(version);
    if (other === toNumber(version)) continue;
    const name = domain || 'ai.onnx';
    throw refused(`the models import ${name} ${other} and ${toNumber(version)}; convert one of them first`);
  }
}

function refuseUnconnectable(a: GraphProto, b: GraphProto, map: Connections): void {
  refuseRepeated(
    map.map(([, input]) => input),
    'inputs of map',
  );
  const [outputs, inputs] = [declaredIn(a), declaredIn(b)];
  for (const [output, input] of map) {
    if (!outputsOf(a).includes(output)) throw noSuch('output', output, 'first', outputsOf(a));
    if (!inputsOf(b).includes(input)) throw noSuch('input', input, 'second', inputsOf(b));
    refuseOtherTypes(outputs.get(output), inputs.get(input));
  }
}

const noSuch = (kind: string, name: string, which: string, known: readonly string[]) =>
  refused(`map: the ${which} model has no ${kind} "${name}"; it has ${quoted(known) || 'none'}`);

function refuseOtherTypes(output: ValueInfoProto | undefined, input: ValueInfoProto | undefined): void {
  const symbols = new DimSymbols();
  const [made, taken] = [readType(output?.type, symbols, output?.name), readType(input?.type, symbols, input?.name)];
  if (!made || !taken) return;
  const isTensor = made.kind === 'tensor' && taken.kind === 'tensor';
  const sizes = isTensor && made.dims && taken.dims ? [made.dims, taken.dims] : undefined;
  const fits =
    made.kind === taken.kind &&
    (!isTensor || made.element === taken.element) &&
    (!sizes || (sizes[0]?.length === sizes[1]?.length && sizes[0]?.every((d, i) => !differ(d, sizes[1]?.[i]))));
  if (fits) return;
  throw refused(
    `map: cannot connect the output "${output?.name}" of type ${formatType(made)} to the input "${input?.name}" of type ${formatType(taken)}`,
  );
}

/** The inputs and outputs of the result, by the model that they come from. */
type Border = Readonly<Record<'inputs' | 'outputs', readonly [first: readonly string[], second: readonly string[]]>>;

function borderOf(a: GraphProto, b: GraphProto, map: Connections, { inputs, outputs }: MergeOptions): Border {
  const [used, fed] = [new Set(map.map(([output]) => output)), new Set(map.map(([, input]) => input))];
  const open = inputsOf(b).filter((name) => !fed.has(name));
  const unused = outputsOf(a).filter((name) => !used.has(name));
  return {
    inputs: inputs ? chosen(inputs, [inputsOf(a), open], 'unconnected input') : [inputsOf(a), open],
    outputs: outputs ? chosen(outputs, [outputsOf(a), outputsOf(b)], 'output') : [unused, outputsOf(b)],
  };
}

function chosen(
  wanted: readonly string[],
  [a, b]: readonly [readonly string[], readonly string[]],
  kind: string,
): Border['inputs'] {
  for (const name of wanted)
    if (!a.includes(name) && !b.includes(name))
      throw refused(`neither model has the ${kind} "${name}"; they have ${quoted([...a, ...b])}`);
  const isWanted = (name: string) => wanted.includes(name);
  return [a.filter(isWanted), b.filter(isWanted)];
}

/** Renames values so that different values have different names and connected ones have the same. */
function toldApart(a: ModelProto, b: ModelProto, map: Connections, { inputs, outputs }: Border) {
  const [ofA, ofB] = [new Set([...inputs[0], ...outputs[0]]), new Set([...inputs[1], ...outputs[1]])];
  const shared = [...ofA].filter((name) => ofB.has(name));
  if (shared.length > 0)
    throw refused(`both models have the inputs or outputs ${quoted(shared)}; set prefix1 or prefix2`);
  const [namesA, namesB] = [valueNames(bodiesOf(a)), valueNames(bodiesOf(b))];
  const fresh = freshNames(new Set([...namesA, ...namesB]));
  const othersFor = (names: readonly string[]) => new Map(names.map((name) => [name, fresh(name)]));
  const insideA = othersFor([...namesA].filter((name) => ofB.has(name)));
  const connected = new Map(map.map(([output, input]) => [input, insideA.get(output) ?? output]));
  const insideB = othersFor([...namesB].filter((name) => namesA.has(name) && !ofB.has(name) && !connected.has(name)));
  return [
    renamedModel(a, byTable(insideA), renamingAll),
    renamedModel(b, byTable(new Map([...insideB, ...connected])), renamingAll),
  ] as const;
}

/** Appends the second graph to the first, without the inputs that the first produces. */
function joinedGraphs(a: GraphProto, b: GraphProto, border: Border, options: MergeOptions): GraphProto {
  const made = new Set(outputsOf(a));
  const isOwn = (name: string | undefined) => !made.has(name ?? '');
  const input = [...a.input, ...b.input.filter(({ name }) => isOwn(name))];
  const output = [...infosOf(a.output, border.outputs[0]), ...infosOf(b.output, border.outputs[1])];
  const told = new Set([...a.valueInfo, ...output].map(({ name }) => name));
  const graph = withChanges(a, {
    name: options.name ?? `${a.name}_${b.name}`,
    docString: options.docString ?? [a.docString, b.docString].filter(Boolean).join('\n\n'),
    input,
    output,
    node: [...a.node, ...b.node],
    initializer: [...a.initializer, ...b.initializer.filter(({ name }) => isOwn(name))],
    sparseInitializer: [...a.sparseInitializer, ...b.sparseInitializer.filter(({ values }) => isOwn(values?.name))],
    valueInfo: [
      ...a.valueInfo,
      ...a.output.filter(({ name }) => !told.has(name)),
      ...b.valueInfo.filter(({ name }) => isOwn(name)),
    ],
    quantizationAnnotation: [
      ...a.quantizationAnnotation,
      ...b.quantizationAnnotation.filter(({ tensorName }) => isOwn(tensorName)),
    ],
    metadataProps: joinedMetadata(a.metadataProps, b.metadataProps),
  });
  if (!options.inputs && !options.outputs) return graph;
  const inputs = border.inputs.flat();
  refuseMissing(graph, inputs, outputsOf(graph));
  return between(graph, infosOf(input, inputs), output, freshNames(valueNames(bodiesIn(graph))));
}

const infosOf = (infos: readonly ValueInfoProto[], names: readonly string[]): ValueInfoProto[] =>
  infos.filter(({ name }) => names.includes(name));

function joinedBy<T>(a: readonly T[], b: readonly T[], key: (entry: T) => string): T[] {
  const keys = new Set(a.map(key));
  return [...a, ...b.filter((entry) => !keys.has(key(entry)))];
}

function joinedMetadata(a: readonly StringStringEntryProto[], b: readonly StringStringEntryProto[]) {
  const values = new Map(a.map(({ key, value }) => [key, value]));
  for (const { key, value } of b) {
    const other = values.get(key) ?? value;
    if (other !== value)
      throw refused(
        `the models have different metadata "${key}": ${JSON.stringify(other)} and ${JSON.stringify(value)}`,
      );
  }
  return [...a, ...b.filter(({ key }) => !values.has(key))];
}

function joinedFunctions(a: readonly FunctionProto[], b: readonly FunctionProto[]): FunctionProto[] {
  const keys = new Set(a.map(keyOf));
  const shared = b.filter((definition) => keys.has(keyOf(definition))).map(({ name }) => name);
  if (shared.length === 0) return [...a, ...b];
  throw refused(`both models have the functions ${quoted(shared)}; set prefix1 or prefix2`);
}
