/** One version of an operator: the names that it gives to attributes and inputs, by ONNX's registry or by the table of its schemas. */
export interface VersionNames {
  readonly since: number;
  readonly attributes: readonly string[];
  readonly inputs: readonly string[];
}

/** An attribute that became an input in a later version. */
export interface Move {
  readonly attribute: string;
  readonly input: string;
  /** Of the input, in the later version. */
  readonly position: number;
  /** The newest version that has the attribute, and the oldest that has the input. */
  readonly from: number;
  readonly to: number;
}

/** Inputs that took the place of attributes of other names, as the versions of Pad and Upsample say: https://onnx.ai/onnx/operators/ */
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

/** An attribute that a node of this version has, though it is an input by now. */
export const becameInput = (moves: readonly Move[], since: number, attribute: string): Move | undefined =>
  moves.find((move) => move.attribute === attribute && move.to <= since);

/** An input beyond those of this version, which has an attribute for it. */
export const isStillAttribute = (
  moves: readonly Move[],
  names: readonly string[],
  position: number,
): Move | undefined => moves.find((move) => move.position === position && names.includes(move.attribute));

export const givenAsAttribute = ({ attribute, input, position, to }: Move): string =>
  `"${attribute}" is an attribute before opset ${to}; since opset ${to} it is input ${position}, "${input}"`;

export const givenAsInput = ({ attribute, input, position, to }: Move): string =>
  `input ${position}, "${input}", is an input since opset ${to}; before, it is the attribute "${attribute}"`;
