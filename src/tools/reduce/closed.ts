import { type FunctionProto, type GraphProto, TensorProto, type ValueInfoProto } from '../../../build/onnx.js';
import { withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { writeTensorProto } from '../../model/write-attributes.js';
import { isTensorValue } from '../../tensor/tensor-value.js';
import { withProto } from '../model-of.js';
import { definedIn, parametersOf, readsOf } from '../surgery/bodies.js';
import { withGraph } from '../surgery/extract-model.js';
import { filtered } from '../surgery/filtered.js';
import { graphOf } from '../surgery/refuse.js';
import { withoutStale } from '../surgery/restrict.js';
import type { Subject } from './subject.js';

/** The replacement for a value whose node was removed: an input, or, if its contents are known, a constant. */
export type CutValues = 'inputs' | 'constants';

/** Part of a subject: a graph, which may read values that are not produced, and the functions if they changed. */
export interface Part {
  readonly graph: GraphProto;
  readonly functions?: FunctionProto[];
}

/**
 * Makes a model of a part: missing values become inputs or constants, and values that others read become outputs.
 * Undefined if a type is unknown or the part is empty.
 */
export function closed({ model, infoOf, values }: Subject, part: Part, cutValues: CutValues): Model | undefined {
  const { graph, functions = model.proto.functions } = part;
  const before = graphOf(model);
  const read = new Set(graph.node.flatMap(readsOf));
  const own = definedIn(graph);
  const cut = [...read].filter((name) => !own.has(name));
  const constants = cutValues === 'constants' ? cut.filter((name) => isTensorValue(values?.[name])) : [];
  const areInputs = toNumber(model.proto.irVersion) < CONSTANTS_APART;
  const inputs = cut.filter((name) => areInputs || !constants.includes(name)).map(infoOf);
  const output = outputsNow(before, graph, infoOf);
  if (output.length === 0 || inputs.includes(undefined)) return undefined;
  const open = withChanges(graph, {
    input: [...filtered(graph.input, ({ name }) => read.has(name)), ...(inputs as ValueInfoProto[])],
    output,
    initializer: [...graph.initializer, ...constants.map((name) => tensorOf(name, values))],
  });
  return withProto(
    model,
    withGraph(withChanges(model.proto, { functions }), withoutStale(open, { names: withParameters(graph, read) })),
  );
}

/** Before this IR version, initializers must also be inputs. */
const CONSTANTS_APART = 4;

const tensorOf = (name: string, values: Subject['values']): TensorProto =>
  new TensorProto(writeTensorProto(values?.[name] as never, name));

const withParameters = ({ quantizationAnnotation }: GraphProto, read: ReadonlySet<string>): Set<string> =>
  new Set([...read, ...quantizationAnnotation.flatMap(parametersOf)]);

/** The values that are or become outputs: original outputs, and values with fewer readers than before. */
function outputsNow(before: GraphProto, graph: GraphProto, infoOf: Subject['infoOf']): ValueInfoProto[] {
  const [was, is] = [before, graph].map(readersIn);
  const made = graph.node.flatMap(({ output }) => output).filter(Boolean);
  const said = new Map(before.output.map((info) => [info.name, info]));
  return made.flatMap((name) => {
    const count = is?.get(name) ?? 0;
    const isSeen = said.has(name) || count === 0 || count < (was?.get(name) ?? 0);
    return (isSeen && (said.get(name) ?? infoOf(name))) || [];
  });
}

function readersIn({ node }: GraphProto): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of node.flatMap(readsOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
