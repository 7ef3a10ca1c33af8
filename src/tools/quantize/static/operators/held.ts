import type { NodeProto } from '../../../../../build/onnx.js';
import { graphsOf, readIn } from '../../graphs.js';
import { nodeOf } from '../../nodes.js';
import { activationOf, constantOf, type Desk, type LevelNames, numbersIn, writeCodes, writeLevels } from '../desk.js';
import { type Levels, levelsBy } from '../levels.js';
import type { Parameters, ScaleType } from '../parameters.js';
import { type Laying, weightLevels } from '../weight-levels.js';

/** A quantized value. */
export interface Held extends LevelNames {
  readonly codes: string;
  readonly levels: Levels;
}

export const three = ({ codes, scale, zero }: Held): string[] => [codes, scale, zero];

/** The values that are available, quantized or as floats, before the current node. */
export interface Bench {
  readonly desk: Desk;
  readonly held: Map<string, Held>;
  readonly floats: Set<string>;
  /** Scales and zero points that have been added. */
  readonly levels: Map<string, Omit<Held, 'codes'>>;
}

export function benchOf(desk: Desk): Bench {
  return { desk, held: new Map(), floats: new Set(desk.graph.input.map(({ name }) => name)), levels: new Map() };
}

export const heldBy = ({ held }: Bench, name: string | undefined): Held | undefined => held.get(name ?? '');

/** The scale and zero point of an activation, from its range or `given`. */
export function levelsFor({ desk, levels }: Bench, name: string, given?: Parameters): Omit<Held, 'codes'> | undefined {
  const known = levels.get(name);
  const parameters = given ?? activationOf(desk, name);
  if (known || !parameters) return known;
  const found = levelsBy([parameters], parameters.type);
  const made = { ...writeLevels(desk, name, found, desk.floats.get(name) as ScaleType), levels: found };
  levels.set(name, made);
  return made;
}

/** Whether a value is quantized or can be. */
export const canHold = (bench: Bench, name: string | undefined): boolean =>
  name !== undefined &&
  (bench.held.has(name) ||
    constantOf(bench.desk, name) !== undefined ||
    (bench.desk.floats.has(name) && activationOf(bench.desk, name) !== undefined));

/** Returns a value in quantized form, if necessary as a constant or by a QuantizeLinear that is added to `nodes`. */
export async function hold(bench: Bench, name: string, nodes: NodeProto[]): Promise<Held> {
  const known = bench.held.get(name);
  if (known) return known;
  if (constantOf(bench.desk, name)) return holdConstant(bench, name, { part: 'activation' });
  const found = levelsFor(bench, name) as Omit<Held, 'codes'>;
  const { fresh } = bench.desk.sheet;
  const held = { ...found, codes: fresh(`${name}_quantized`) };
  const inputs = [name, held.scale, held.zero];
  nodes.push(nodeOf('QuantizeLinear', inputs, [held.codes], { name: fresh(`${name}_QuantizeLinear`) }));
  bench.held.set(name, held);
  return held;
}

/** Adjusts the scales and zero points of a weight before it is quantized. */
export type Fit = (levels: Levels) => Levels | Promise<Levels>;

/** Quantizes a constant once for all readers. */
export async function holdConstant(
  { desk, held }: Bench,
  name: string,
  laying: Laying,
  fit: Fit = (levels) => levels,
): Promise<Held> {
  const known = held.get(name);
  if (known) return known;
  const { tensor } = constantOf(desk, name) as NonNullable<ReturnType<typeof constantOf>>;
  const values = await numbersIn(desk, tensor);
  const levels = await fit(weightLevels(desk, tensor, values, laying));
  const names = writeLevels(desk, name, levels, desk.floats.get(name) as ScaleType);
  const codes = writeCodes(desk, tensor, levels, values);
  const made = { ...names, levels, codes };
  held.set(name, made);
  return made;
}

/** Adds a name for the quantized output of a node. */
export function give({ desk, held }: Bench, name: string, like: Omit<Held, 'codes'>): string {
  const codes = desk.sheet.fresh(`${name}_quantized`);
  const { scale, zero, levels } = like;
  held.set(name, { scale, zero, levels, codes });
  return codes;
}

/** Keeps a node unchanged, after nodes that dequantize its inputs. */
export function plain(bench: Bench, node: NodeProto): NodeProto[] {
  const captured = graphsOf(node).flatMap((graph) => [...readIn(graph)]);
  const before = [...new Set([...node.input, ...captured])].flatMap((name) => restored(bench, name));
  for (const name of node.output) bench.floats.add(name);
  return [...before, node];
}

/** A DequantizeLinear if a value is only available quantized. Constants stay available as floats. */
export function restored({ desk, held, floats }: Bench, name: string): NodeProto[] {
  const known = held.get(name);
  if (!known || floats.has(name) || constantOf(desk, name)) return [];
  floats.add(name);
  const { codes, scale, zero, levels } = known;
  const axis: { readonly axis?: number } = levels.axis === undefined ? {} : { axis: levels.axis };
  const made = desk.sheet.fresh(`${name}_DequantizeLinear`);
  return [nodeOf('DequantizeLinear', [codes, scale, zero], [name], { name: made, ...axis })];
}
