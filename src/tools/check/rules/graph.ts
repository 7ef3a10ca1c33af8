import type { GraphProto } from '../../../../build/onnx.js';
import { didYouMean } from '../../../advice/near.js';
import { toNumber } from '../../../model/int64.js';
import { at, type Context, eachRepeated, entriesOf, error, needs, type Rule, warning } from '../context.js';
import { scopeOf, visibleNames } from '../scope.js';
import { metadata, since, uniqueKeys } from './metadata.js';
import { oneTypeEach, uniqueValues } from './type.js';

export const GRAPH_RULES: readonly Rule<GraphProto>[] = [
  (graph, c) => needs(graph, 'name', c),
  uniqueInputs,
  uniqueNodes,
  defaultsFit,
  ({ output }, c) => uniqueValues(output, 'output', 'output', c),
  ({ output }, c) => oneTypeEach(output, 'output', c),
  ({ valueInfo }, c) => uniqueValues(valueInfo, 'value_info', 'value', c),
  uniqueInitializers,
  initializersAndInputs,
  ({ sparseInitializer }, c) =>
    sparseInitializer.length > 0 && since(6, 'sparse_initializer', at(c, 'sparse_initializer')),
  ({ quantizationAnnotation }, c) =>
    quantizationAnnotation.length > 0 && since(5, 'quantization_annotation', at(c, 'quantization_annotation')),
  metadata,
];

function uniqueInputs({ input }: GraphProto, c: Context): void {
  eachRepeated(
    input,
    ({ name }) => name,
    ({ name }, i) => error(at(c, 'input', i), 'DUPLICATE', `duplicate input "${name}"`, { value: name }),
  );
}

/** Only a warning: many exporters write duplicate names, which matter only when a node is looked up by name. */
function uniqueNodes({ node }: GraphProto, c: Context): void {
  eachRepeated(
    node,
    ({ name }, i) => name || i,
    ({ name }, i) => warning(at(c, 'node', i), 'DUPLICATE', `another node is also named "${name}"`, { value: name }),
  );
}

/** Checks that an initializer has the shape that the graph input of the same name declares. */
function defaultsFit({ input, initializer }: GraphProto, c: Context): void {
  if (!c.types) return;
  const shapes = new Map(input.map(({ name, type }) => [name, type?.tensorType?.shape?.dim]));
  for (const [{ name, dims }, place] of entriesOf(initializer, 'initializer', c)) {
    const says = shapes.get(name)?.map(({ dimValue }) => toNumber(dimValue ?? -1));
    const sizes = dims.map(toNumber);
    if (!says || (says.length === sizes.length && says.every((size, i) => size < 0 || size === sizes[i]))) continue;
    const shown = says.map((size) => (size < 0 ? '?' : size));
    error(
      at(place, 'dims'),
      'TYPE_MISMATCH',
      `the initializer has the shape [${sizes}], but the input "${name}" has [${shown}]`,
      {
        value: name,
      },
    );
  }
}

/** Yields the name and location of each initializer. */
export function* initializers(graph: GraphProto, c: Context): Generator<[string, Context]> {
  for (const [{ name }, place] of entriesOf(graph.initializer, 'initializer', c)) yield [name, at(place, 'name')];
  for (const [{ values }, place] of entriesOf(graph.sparseInitializer, 'sparse_initializer', c))
    if (values) yield [values.name, at(place, 'values', 'name')];
}

function uniqueInitializers(graph: GraphProto, c: Context): void {
  const seen = new Set<string>();
  for (const [name, place] of initializers(graph, c)) {
    if (name === '') error(place, 'MISSING', 'the initializer has no name');
    else if (seen.has(name)) error(place, 'DUPLICATE', `duplicate initializer "${name}"`, { value: name });
    seen.add(name);
  }
}

/** Before IR version 4, initializers had to be inputs. Since then, those of subgraphs must not be inputs. */
function initializersAndInputs(graph: GraphProto, c: Context): void {
  if (!c.irVersion) return;
  const inputs = new Set(graph.input.map(({ name }) => name));
  for (const [i, { name }] of graph.initializer.entries()) {
    const place = at(c, 'initializer', i);
    if (c.irVersion < 4 && !inputs.has(name))
      error(place, 'UNDEFINED', `before IR version 4, the initializer "${name}" must also be an input of the graph`, {
        value: name,
        hint: 'set ir_version to 4 or higher, or add it to the inputs',
      });
    else if (c.irVersion >= 4 && c.within === 'subgraph' && inputs.has(name))
      error(place, 'SHADOWED', `"${name}" is both an initializer and an input of the subgraph`, { value: name });
  }
}

/** Suggests a similar name for an unknown one. */
const meant = (name: string, c: Context) => () =>
  didYouMean(name, visibleNames(c.scope)).replace(/^; /, '') || undefined;

/** Checks that a node's inputs are produced before it, in the graph or an outer graph. */
export function checkInputs(input: readonly string[], own: number, c: Context): void {
  for (const [i, name] of input.entries()) {
    if (name === '' || scopeOf(name, c.scope)) continue;
    const place = at(c, 'input', i);
    const producer = c.scope.producers.get(name);
    if (producer === own)
      error(place, 'NOT_SORTED', `the node reads "${name}", which is its own output`, { value: name });
    else if (producer !== undefined)
      error(place, 'NOT_SORTED', `"${name}" is read before node ${producer} produces it`, {
        value: name,
        hint: 'sort the nodes topologically',
      });
    else
      error(place, 'UNDEFINED', `no node, input or initializer produces "${name}"`, {
        value: name,
        hint: meant(name, c),
      });
  }
}

/** Adds a node's outputs to the scope. Reports names that the scope or an outer one already has. */
export function declareOutputs(output: readonly string[], types: readonly (string | undefined)[], c: Context): void {
  for (const [i, name] of output.entries()) {
    if (name === '') continue;
    const known = scopeOf(name, c.scope);
    if (known)
      error(
        at(c, 'output', i),
        'NOT_SSA',
        known === c.scope ? `"${name}" is produced twice` : `"${name}" is also a value of an outer graph`,
        {
          value: name,
        },
      );
    c.scope.values.set(name, types[i]);
  }
}

/** Warns if an input or initializer of a subgraph hides a value of an outer graph. */
export function checkShadowing(name: string, c: Context): void {
  if (c.scope.outer && scopeOf(name, c.scope.outer))
    warning(c, 'SHADOWED', `"${name}" is also a value of an outer graph`, { value: name });
}

/** Checks that the graph itself produces its outputs. */
export function checkOutputs({ output }: GraphProto, c: Context): void {
  for (const [{ name }, place] of entriesOf(output, 'output', c)) {
    if (name === '' || c.scope.values.has(name)) continue;
    const isOuter = scopeOf(name, c.scope) !== undefined;
    error(place, 'UNDEFINED', `${isOuter ? 'an outer graph' : 'no node'} produces the output "${name}"`, {
      value: name,
      hint: isOuter ? 'insert an Identity node' : meant(name, c),
    });
  }
}

/** Checks that value_info and quantization annotations name existing values. */
export function checkMentions({ valueInfo, quantizationAnnotation }: GraphProto, c: Context): void {
  for (const [{ name }, place] of entriesOf(valueInfo, 'value_info', c))
    if (name !== '' && !c.scope.values.has(name))
      warning(place, 'UNDEFINED', `the graph has no value "${name}"`, { value: name, hint: meant(name, c) });
  for (const [annotation, place] of entriesOf(quantizationAnnotation, 'quantization_annotation', c)) {
    const { tensorName, quantParameterTensorNames } = annotation;
    if (needs(annotation, 'tensorName', place) && !scopeOf(tensorName, c.scope))
      error(at(place, 'tensor_name'), 'UNDEFINED', `the graph has no value "${tensorName}"`, { value: tensorName });
    const field = 'quant_parameter_tensor_names';
    uniqueKeys(quantParameterTensorNames, field, place);
    for (const [{ value }, inner] of entriesOf(quantParameterTensorNames, field, place))
      if (!scopeOf(value, c.scope)) error(inner, 'UNDEFINED', `the graph has no value "${value}"`, { value });
  }
}
