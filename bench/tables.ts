export interface Table {
  title: string;
  header: string[];
  rows: string[][];
}

const columnsOf = ({ header, rows }: Table) =>
  header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));

const aligned = (cells: string[], widths: number[]) =>
  widths.map((width, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width)));

export function asText(table: Table): string {
  const widths = columnsOf(table);
  return [table.title, ...[table.header, ...table.rows].map((cells) => aligned(cells, widths).join('  '))].join('\n');
}

export function asMarkdown(table: Table): string {
  const widths = columnsOf(table);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const body = table.rows.map((cells) => line(aligned(cells, widths)));
  return [`**${table.title}**`, '', line(aligned(table.header, widths)), line(rule), ...body].join('\n');
}

/** Three significant digits. */
export function figure(value: number | undefined): string {
  if (value === undefined) return '';
  return value >= 100 ? value.toFixed() : value.toPrecision(3);
}

export const megabytes = (bytes: number | undefined): string => (bytes === undefined ? '' : figure(bytes / 2 ** 20));
