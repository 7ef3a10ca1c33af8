import type { GraphProto, ModelProto } from 'sardonyx/model';
import type { TrainingGraph } from '../contracts/documents.js';

const KINDS = ['initialization', 'algorithm'] as const;
type Kind = (typeof KINDS)[number];

interface Part {
  /** Index in `training_info`. */
  readonly index: number;
  readonly kind: Kind;
  readonly graph: GraphProto | null | undefined;
}

/** The part at a path step: `algorithm`, or `algorithm[1]` for the second entry of `training_info`. */
export function trainingPart({ trainingInfo }: ModelProto, step: string): Part | undefined {
  const [, kind, index = '0'] = /^(initialization|algorithm)(?:\[(\d+)\])?$/.exec(step) ?? [];
  const info = trainingInfo[Number(index)];
  return info && kind ? { index: Number(index), kind: kind as Kind, graph: info[kind as Kind] } : undefined;
}

/** The graphs of `training_info`, and the model values that their outputs replace. */
export const trainingOf = ({ trainingInfo }: ModelProto): TrainingGraph[] =>
  trainingInfo.flatMap((info, i) =>
    KINDS.filter((kind) => info[kind]).map((kind) => {
      const bound = kind === 'algorithm' ? info.updateBinding : info.initializationBinding;
      return {
        path: `training/${kind}${i > 0 ? `[${i}]` : ''}`,
        title: kind === 'algorithm' ? 'Training algorithm' : 'Initialization',
        bindings: bound.map(({ key, value }) => [key, value] as const),
      };
    }),
  );
