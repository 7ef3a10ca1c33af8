/** Points of one tag in one run, in the order logged; the arrays can be longer than `count`. */
export interface Columns {
  count: number;
  steps: Float64Array;
  /** Seconds since 1970. */
  walls: Float64Array;
  values: Float64Array;
}

export const noPoints = (): Columns => ({
  count: 0,
  steps: new Float64Array(8),
  walls: new Float64Array(8),
  values: new Float64Array(8),
});

const longer = (column: Float64Array): Float64Array => {
  const twice = new Float64Array(column.length * 2);
  twice.set(column);
  return twice;
};

export function addPoint(columns: Columns, step: number, wall: number, value: number): void {
  if (columns.count === columns.steps.length) {
    columns.steps = longer(columns.steps);
    columns.walls = longer(columns.walls);
    columns.values = longer(columns.values);
  }
  columns.steps[columns.count] = step;
  columns.walls[columns.count] = wall;
  columns.values[columns.count] = value;
  columns.count++;
}
