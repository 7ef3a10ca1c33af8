import { float, tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, ints, pick } = draw(56);

interface Kind {
  /** Keys and values are those of an encoder. */
  readonly cross?: boolean;
  readonly mask?: boolean;
  readonly bias?: boolean;
  readonly attentionBias?: boolean;
  /** Each key of the past is in the row of one of so many beams. Of a bias by rows onnxruntime reads those of other rows then. */
  readonly beams?: number;
}

/** Where all keys of a query are hidden, they weigh by scores near −10000, which float32 holds to 0.001. */
const FILTERED = { relative: 1e-3, absolute: 1e-3 };

function make(kind: Kind, i: number): Case {
  const [groups, heads, size, past] = [int(1, 2), int(1, 3), pick([2, 4]), int(1, 4)];
  const batch = groups * (kind.beams ?? 1);
  const room = past + int(1, 3);
  const keys = kind.cross ? room : past + 1;
  const hidden = heads * size;
  const own = () => floats(kind.cross ? [batch, heads, room, size] : [batch, 1, hidden]);
  const cache = () => (kind.cross ? null : floats([batch, heads, room, size]));
  const inputs = [
    floats([batch, 1, hidden]),
    own(),
    own(),
    kind.mask ? ints('int32', [batch, keys], 0, 1) : null,
    kind.attentionBias ? floats([kind.beams ? 1 : pick([1, batch]), pick([1, heads]), 1, keys]) : null,
    cache(),
    cache(),
    kind.cross ? null : tensor('int32', [1], [past]),
    kind.beams ? tensor('int32', [1], [kind.beams]) : null,
    kind.beams ? ints('int32', [groups, kind.beams, room], 0, kind.beams - 1) : null,
    kind.bias ? floats([3 * hidden]) : null,
  ];
  return {
    label: `${i}: ${JSON.stringify(kind)}, ${past} of ${room}`,
    attributes: {
      num_heads: heads,
      past_present_share_buffer: kind.cross ? 0 : 1,
      ...(chance(0.3) && { scale: float(0.4) }),
    },
    inputs: inputs.slice(0, inputs.findLastIndex((input) => input) + 1),
    constants: chance(0.5) ? [10] : [],
    outputs: kind.cross ? [0] : [0, 1, 2],
    ...(kind.mask && { tolerance: FILTERED }),
  };
}

const kinds: Kind[] = [
  {},
  {},
  {},
  {},
  {},
  { mask: true },
  { mask: true },
  { mask: true },
  { mask: true },
  { bias: true },
  { bias: true },
  { bias: true, mask: true },
  { attentionBias: true },
  { attentionBias: true },
  { attentionBias: true, mask: true, bias: true },
  { cross: true },
  { cross: true },
  { cross: true },
  { cross: true, mask: true },
  { cross: true, mask: true },
  { cross: true, mask: true },
  { cross: true, bias: true },
  { cross: true, bias: true, mask: true },
  ...[1, 2, 3, 4].flatMap((beams): Kind[] => [
    { beams },
    { beams, mask: true },
    { beams, bias: true, attentionBias: true },
    { beams, bias: true, mask: true, attentionBias: true },
  ]),
];

export const operator: OperatorCases = { op: 'DecoderMaskedMultiHeadAttention', cases: kinds.map(make) };
