import type { NamedTensor } from './inputs.js';

/**
 * The largest distance that passes: relative L2, or the share of detections without a counterpart. An activation that is rounded to 8 bits
 * at run time may be rounded to the other side of a tie, which is 1/255 of its tensor's range, and later layers amplify that:
 * onnxruntime-web and onnxruntime-node are 6e-3 apart after 6 layers.
 */
export const TOLERANCE = { values: 1e-3, detections: 0.02, 'rounded activations': 0.02 };

/** The largest relative L2 distance of corresponding outputs; infinite where shapes differ. */
export function distance(outputs: readonly NamedTensor[], expected: readonly NamedTensor[]): number {
  if (outputs.length !== expected.length) return Infinity;
  return Math.max(...expected.map((tensor, i) => relativeL2(outputs[i] as NamedTensor, tensor)));
}

function relativeL2({ dims, data }: NamedTensor, expected: NamedTensor): number {
  if (String(dims) !== String(expected.dims)) return Infinity;
  let difference = 0;
  let norm = 0;
  for (let i = 0; i < data.length; i++) {
    const wanted = Number(expected.data[i]);
    difference += (Number(data[i]) - wanted) ** 2;
    norm += wanted ** 2;
  }
  return Number.isNaN(difference) ? Infinity : Math.sqrt(difference / (norm || 1));
}

/** Two detections are the same if they have the same label, overlap by 0.9, and their scores differ by at most 0.01. */
const SAME = { overlap: 0.9, score: 0.01 };

/** The share of detections, of both sides, without a counterpart on the other side. Outputs are boxes, scores, labels. */
export function detectionDistance(outputs: readonly NamedTensor[], expected: readonly NamedTensor[]): number {
  const [some, others] = [detections(outputs), detections(expected)];
  const lone = unmatched(some, others) + unmatched(others, some);
  return lone / Math.max(1, some.length + others.length);
}

interface Detection {
  box: number[];
  score: number;
  label: number;
}

function detections([boxes, scores, labels]: readonly NamedTensor[]): Detection[] {
  return Array.from((scores?.data as ArrayLike<number>) ?? [], (score, i) => ({
    box: [0, 1, 2, 3].map((corner) => Number(boxes?.data[4 * i + corner])),
    score,
    label: Number(labels?.data[i]),
  }));
}

function unmatched(some: Detection[], others: Detection[]): number {
  const free = new Set(others);
  return some.filter((detection) => {
    const match = [...free].find(
      ({ box, score, label }) =>
        label === detection.label &&
        Math.abs(score - detection.score) < SAME.score &&
        intersectionOverUnion(box, detection.box) > SAME.overlap,
    );
    return !match || !free.delete(match);
  }).length;
}

function intersectionOverUnion(a: number[], b: number[]): number {
  const [ax0 = 0, ay0 = 0, ax1 = 0, ay1 = 0] = a;
  const [bx0 = 0, by0 = 0, bx1 = 0, by1 = 0] = b;
  const width = Math.max(0, Math.min(ax1, bx1) - Math.max(ax0, bx0));
  const height = Math.max(0, Math.min(ay1, by1) - Math.max(ay0, by0));
  const intersection = width * height;
  return intersection / ((ax1 - ax0) * (ay1 - ay0) + (bx1 - bx0) * (by1 - by0) - intersection);
}
