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

/** What is left of a subject: a graph that may read what nobody makes, and functions where they are others. */
export interface Part {
  readonly graph: GraphProto;
  readonly functions?: FunctionProto[];
}

/**
 * A part as a model: what it reads and has not is cut, and what others read of it is an output. Undefined where a type is not
 * known, or nothing is left.
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

/** Until this version of the format constants are declared as inputs, too. */
const CONSTANTS_APART = 4;

const tensorOf = (name: string, values: Subject['values']): TensorProto =>
  new TensorProto(writeTensorProto(values?.[name] as never, name));

const withParameters = ({ quantizationAnnotation }: GraphProto, read: ReadonlySet<string>): Set<string> =>
  new Set([...read, ...quantizationAnnotation.flatMap(parametersOf)]);

/** What nodes make that was an output, or is read by fewer than before. */
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
