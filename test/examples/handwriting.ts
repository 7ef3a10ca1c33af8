type Point = readonly [x: number, y: number];

const line = (...points: Point[]): Point[] => points;

/** A part of an ellipse, in degrees clockwise from 3 o'clock. */
const arc = (x: number, y: number, rx: number, ry: number, from: number, to: number): Point[] =>
  Array.from({ length: 9 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / 8) * Math.PI) / 180;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];
  });

/** The ten digits as strokes in the unit square. */
export const HANDWRITING: readonly (readonly Point[][])[] = [
  [arc(0.5, 0.5, 0.22, 0.34, -90, 270)],
  [line([0.36, 0.32], [0.52, 0.16], [0.52, 0.84])],
  [[...arc(0.5, 0.34, 0.2, 0.18, 180, 380), ...line([0.3, 0.84], [0.72, 0.84])]],
  [[...arc(0.46, 0.33, 0.2, 0.17, 200, 440), ...arc(0.46, 0.67, 0.22, 0.17, -80, 150)]],
  [line([0.5, 0.14], [0.28, 0.6], [0.74, 0.6]), line([0.58, 0.4], [0.58, 0.88])],
  [[...line([0.7, 0.16], [0.36, 0.16], [0.34, 0.46]), ...arc(0.48, 0.64, 0.22, 0.2, -120, 140)]],
  [[...line([0.6, 0.14], [0.4, 0.4]), ...arc(0.5, 0.66, 0.19, 0.19, 180, 540)]],
  [line([0.28, 0.16], [0.72, 0.16], [0.44, 0.86]), line([0.36, 0.5], [0.7, 0.5])],
  [[...arc(0.5, 0.33, 0.17, 0.17, 90, 450), ...arc(0.5, 0.68, 0.2, 0.18, -90, 270)]],
  [[...arc(0.5, 0.34, 0.19, 0.19, 0, 360), ...line([0.69, 0.34], [0.62, 0.86])]],
];
