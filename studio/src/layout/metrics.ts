/** Sizes in pixels at a zoom of 1, shared by the layout and the canvas. */
export const METRICS = {
  nodeHeight: 28,
  /** Height of each line below the operator. */
  lineHeight: 15,
  lineLetter: 6.6,
  /** A closed module. */
  moduleHeight: 44,
  /** Around the contents of an open module. */
  padding: 16,
  /** Above the contents of an open module, for its title. */
  header: 28,
  minWidth: 64,
  maxWidth: 240,
  letter: 7.5,
  /** Left and right of a label, combined. */
  labelMargin: 28,
  /** The same for a module, which has a sign before its title and its size below. */
  moduleMargin: 44,
  moduleMinWidth: 104,
  /** Between neighbours in a layer, and between a box and a line. */
  boxGap: 20,
  lineGap: 10,
  /** Between layers, where edges bend. */
  layerGap: 40,
  /** Between the ends of edges on a box. */
  portGap: 14,
  /** Minimum distance between the outermost ends and the box's corner. */
  portMargin: 8,
  /** Edges over more layers run beside the graph: the first limit that keeps the number of joints moderate applies. */
  longestChains: [30, 12, 6],
} as const;

/** Longer labels are shortened by the canvas. */
export const widthOf = (label: string): number => {
  const { minWidth, maxWidth, letter, labelMargin } = METRICS;
  return Math.min(maxWidth, Math.max(minWidth, label.length * letter + labelMargin));
};

/** The size of a node with lines below its operator. */
export const nodeSizeOf = (
  label: string,
  lines: readonly string[],
): { readonly width: number; readonly height: number } => {
  const { nodeHeight, lineHeight, lineLetter, maxWidth, labelMargin } = METRICS;
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0) * lineLetter + labelMargin;
  const height = lines.length === 0 ? nodeHeight : nodeHeight + lines.length * lineHeight + 2;
  return { width: Math.max(widthOf(label), lines.length === 0 ? 0 : Math.min(maxWidth, longest)), height };
};

export const moduleWidthOf = (title: string): number => {
  const { moduleMinWidth, maxWidth, letter, moduleMargin } = METRICS;
  return Math.min(maxWidth, Math.max(moduleMinWidth, title.length * letter + moduleMargin));
};
