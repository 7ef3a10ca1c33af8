import type { ModelProto, OperatorSetIdProto, TrainingInfoProto } from '../../../../build/onnx.js';
import { type Int64, toNumber } from '../../../model/int64.js';
import { domainOf, NEWEST } from '../../schemas/domains.js';
import { at, type Context, eachRepeated, entriesOf, error, type Rule, warning } from '../context.js';
import { configurations } from './device.js';
import { since, uniqueKeys } from './metadata.js';

/** The newest supported IR version. */
export const MAX_IR_VERSION = 14;

export const MODEL_RULES: readonly Rule<ModelProto>[] = [
  irVersion,
  hasGraph,
  importsOpsets,
  ({ metadataProps }, c) => uniqueKeys(metadataProps, 'metadata_props', c),
  configurations,
  ({ functions }, c) => {
    if (functions.length > 0) since(8, 'functions', at(c, 'functions'));
  },
  training,
];

function irVersion({ irVersion }: ModelProto, c: Context): void {
  const version = toNumber(irVersion);
  const place = at(c, 'ir_version');
  if (version === 0) error(place, 'MISSING', 'ir_version is missing');
  else if (version < 1 || version > MAX_IR_VERSION)
    error(place, 'VERSION', `unknown IR version ${version}; expected 1 to ${MAX_IR_VERSION}`);
}

function hasGraph({ graph }: ModelProto, c: Context): void {
  if (!graph) error(at(c, 'graph'), 'MISSING', 'graph is missing');
}

function importsOpsets({ opsetImport }: ModelProto, c: Context): void {
  const place = at(c, 'opset_import');
  if (c.irVersion >= 3 && opsetImport.length === 0)
    error(place, 'MISSING', 'opset_import is missing', { hint: 'import the opsets that the nodes use' });
  if (c.irVersion > 0 && c.irVersion < 3 && opsetImport.length > 0)
    error(place, 'VERSION', `opset_import needs IR version 3; the model has ${c.irVersion}`);
  checkImports(opsetImport, c);
}

/** Checks the opset imports of a model or a function. */
export function checkImports(imports: readonly OperatorSetIdProto[], c: Context): void {
  for (const [{ domain, version }, place] of entriesOf(imports, 'opset_import', c)) {
    const number = toNumber(version);
    const newest = NEWEST.get(domainOf(domain));
    const name = domainOf(domain) || 'ai.onnx';
    if (number < 1 || number > 2 ** 31 - 1)
      error(at(place, 'version'), 'VERSION', `${name} has no opset ${number}`, { value: name });
    else if (newest !== undefined && number > newest)
      warning(at(place, 'version'), 'VERSION', `${name} ${number} is newer than the newest known opset, ${newest}`, {
        value: name,
      });
  }
  eachRepeated(
    imports,
    ({ domain }) => domainOf(domain),
    ({ domain, version }, i) => importedTwice(domain, version, imports, at(c, 'opset_import', i)),
  );
}

/** Importing the same version twice is only a warning: it has no effect, and ONNX's own tools write it. */
function importedTwice(domain: string, version: Int64, imports: readonly OperatorSetIdProto[], c: Context): void {
  const name = domainOf(domain) || 'ai.onnx';
  const versions = imports.filter((other) => domainOf(other.domain) === domainOf(domain));
  if (versions.every((other) => toNumber(other.version) === toNumber(version)))
    warning(c, 'DUPLICATE', `${name} is imported twice`, { value: name });
  else {
    const list = versions.map((other) => toNumber(other.version)).join(' and ');
    error(c, 'DUPLICATE', `${name} is imported with different versions: ${list}`, { value: name });
  }
}

export const opsetsOf = (imports: readonly OperatorSetIdProto[]): Map<string, number> =>
  new Map(imports.map(({ domain, version }) => [domainOf(domain), toNumber(version)]));

function training({ trainingInfo, graph }: ModelProto, c: Context): void {
  if (trainingInfo.length > 0) since(7, 'training_info', at(c, 'training_info'));
  const inference = graph?.initializer.map(({ name }) => name) ?? [];
  const updated: string[] = [];
  for (const [info, place] of entriesOf(trainingInfo, 'training_info', c)) {
    checkBindings(info, 'initialization', new Set(inference), place);
    checkBindings(info, 'update', new Set(inference), place);
    updated.push(...info.updateBinding.map(({ key }) => key));
  }
  eachRepeated(
    updated,
    (key) => key,
    (key) => error(at(c, 'training_info'), 'DUPLICATE', `several bindings update "${key}"`, { value: key }),
  );
}

/** The outputs that each kind of binding reads. */
const SOURCES = {
  initialization: ({ initialization }: TrainingInfoProto) => initialization?.output,
  update: ({ algorithm }: TrainingInfoProto) => algorithm?.output,
} as const;

/** Checks bindings. A binding assigns an output to a state variable, which is an initializer. */
function checkBindings(
  info: TrainingInfoProto,
  kind: keyof typeof SOURCES,
  inference: ReadonlySet<string>,
  c: Context,
): void {
  const field = kind === 'update' ? 'updateBinding' : 'initializationBinding';
  const name = `${kind}_binding`;
  const variables = new Set([...inference, ...(info.algorithm?.initializer.map((tensor) => tensor.name) ?? [])]);
  const outputs = new Set(SOURCES[kind](info)?.map((output) => output.name));
  uniqueKeys(info[field], name, c);
  for (const [{ key, value }, place] of entriesOf(info[field], name, c)) {
    if (!variables.has(key)) error(at(place, 'key'), 'TRAINING', `"${key}" is not an initializer`, { value: key });
    if (!outputs.has(value))
      error(at(place, 'value'), 'TRAINING', `${kind === 'update' ? 'algorithm' : kind} has no output "${value}"`, {
        value,
      });
  }
}
