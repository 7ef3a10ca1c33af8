/** Names of attributes and inputs in one version of an operator, from ONNX's registry or the table of its schemas. */
export interface VersionNames {
  readonly since: number;
  readonly attributes: readonly string[];
  readonly inputs: readonly string[];
}

/** An attribute that became an input in a later version. */
export interface Move {
  readonly attribute: string;
  readonly input: string;
  /** Position of the input in the later version. */
  readonly position: number;
  /** The newest version with the attribute, and the oldest with the input. */
  readonly from: number;
  readonly to: number;
}

/** Inputs that replaced attributes of other names, in Pad and Upsample: https://onnx.ai/onnx/operators/ */
const RENAMED: Readonly<Record<string, string>> = {
  value: 'constant_value',
  paddings: 'pads',
  height_scale: 'scales',
  width_scale: 'scales',
};

const isSame = (attribute: string, input: string) =>
  attribute.toLowerCase() === input.toLowerCase() || RENAMED[attribute] === input;

/** The attributes of an operator that have become inputs. */
export function movesOf(versions: readonly VersionNames[]): Move[] {
  const names = new Set(versions.flatMap(({ attributes }) => attributes));
  return [...names].flatMap((attribute) => {
    const having = versions.filter(({ attributes }) => attributes.includes(attribute));
    const from = Math.max(...having.map(({ since }) => since));
    const taking = versions.filter(
      ({ since, inputs }) => since > from && inputs.some((input) => isSame(attribute, input)),
    );
    const first = taking.sort((a, b) => a.since - b.since)[0];
    if (!first) return [];
    const position = first.inputs.findIndex((input) => isSame(attribute, input));
    return [{ attribute, input: first.inputs[position] as string, position, from, to: first.since }];
  });
}

/** The move of an attribute that is already an input in this version. */
export const becameInput = (moves: readonly Move[], since: number, attribute: string): Move | undefined =>
  moves.find((move) => move.attribute === attribute && move.to <= since);

/** The move of an input that is still an attribute in this version. */
export const isStillAttribute = (
  moves: readonly Move[],
  names: readonly string[],
  position: number,
): Move | undefined => moves.find((move) => move.position === position && names.includes(move.attribute));

export const givenAsAttribute = ({ attribute, input, position, to }: Move): string =>
  `"${attribute}" is an attribute before opset ${to}; since opset ${to} it is input ${position}, "${input}"`;

export const givenAsInput = ({ attribute, input, position, to }: Move): string =>
  `input ${position}, "${input}", is an input since opset ${to}; before, it is the attribute "${attribute}"`;
