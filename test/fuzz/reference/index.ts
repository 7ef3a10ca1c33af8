import { ATTENTION } from './attention.js';
import { CAST } from './cast.js';
import { CONTROL_FLOW } from './control-flow.js';
import { CONVOLUTION } from './convolution.js';
import { CREATION } from './creation.js';
import type { Reference } from './definition.js';
import { DEFORMABLE_CONVOLUTION } from './deformable-convolution.js';
import { DETECTION } from './detection.js';
import { BINARY } from './elementwise-binary.js';
import { UNARY } from './elementwise-unary.js';
import { GATHER } from './gather.js';
import { GRID_SAMPLE } from './grid-sample.js';
import { LOGIC } from './logic.js';
import { MATMUL } from './matmul.js';
import { MOVEMENT } from './movement.js';
import { NORMALIZATION } from './normalization.js';
import { POOLING } from './pooling.js';
import { QUANTIZATION } from './quantization.js';
import { RECURRENT } from './recurrent.js';
import { REDUCTIONS } from './reductions.js';
import { RESIZE } from './resize.js';
import { SEQUENCES } from './sequences.js';
import { SHAPES } from './shapes.js';
import { SOFTMAX } from './softmax.js';
import { SORTING } from './sorting.js';

/** What each operator computes, by its name, or `domain:name` where the domain is not ONNX's own. */
export const REFERENCES: ReadonlyMap<string, Reference> = new Map(
  [
    UNARY,
    BINARY,
    LOGIC,
    MATMUL,
    CONVOLUTION,
    DEFORMABLE_CONVOLUTION,
    POOLING,
    NORMALIZATION,
    REDUCTIONS,
    SOFTMAX,
    SHAPES,
    MOVEMENT,
    CREATION,
    GATHER,
    SORTING,
    CAST,
    SEQUENCES,
    CONTROL_FLOW,
    DETECTION,
    GRID_SAMPLE,
    RESIZE,
    ATTENTION,
    RECURRENT,
    QUANTIZATION,
  ].flatMap((family) => Object.entries(family)),
);
