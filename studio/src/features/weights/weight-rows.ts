import type { Summary, TensorFacts } from '../../workers/contracts/tensors.js';

/** An initializer in the list, and its statistics once read. */
export interface WeightRow {
  readonly name: string;
  readonly facts: TensorFacts;
  readonly summary?: Summary | undefined;
}

export interface WeightColumn {
  readonly id: 'name' | 'type' | 'shape' | 'bytes' | 'zeros' | 'outliers';
  readonly title: string;
  readonly isNumber: boolean;
  /** CSS classes of its cells; `minor` ones are hidden in narrow tables. */
  readonly style: string;
  readonly key: (row: WeightRow) => number | string;
}

const share = (part: number | undefined, row: WeightRow) => (part === undefined ? -1 : part / row.facts.count);

export const WEIGHT_COLUMNS: readonly WeightColumn[] = [
  { id: 'name', title: 'Name', isNumber: false, style: '', key: ({ name }) => name },
  { id: 'type', title: 'Type', isNumber: false, style: 'minor', key: ({ facts }) => facts.type },
  { id: 'shape', title: 'Shape', isNumber: false, style: 'mono', key: ({ facts }) => facts.count },
  { id: 'bytes', title: 'Bytes', isNumber: true, style: 'number', key: ({ facts }) => facts.bytes || 0 },
  { id: 'zeros', title: 'Zeros', isNumber: true, style: 'number minor', key: (row) => share(row.summary?.zeros, row) },
  {
    id: 'outliers',
    title: 'Outliers',
    isNumber: true,
    style: 'number minor',
    key: (row) => share(row.summary?.outliers, row),
  },
];

export interface Order {
  readonly by: WeightColumn['id'];
  readonly isDown: boolean;
}

/** The rows in order; equal ones stay in the model's order. */
export function sortedRows(rows: readonly WeightRow[], { by, isDown }: Order): WeightRow[] {
  const key = (WEIGHT_COLUMNS.find(({ id }) => id === by) as WeightColumn).key;
  const sign = isDown ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [key(one), key(other)];
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}
