// node score-table.js MODEL TABLE.csv
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { InferenceSession, Tensor } from 'sardonyx';

const [model, table] = process.argv.slice(2);
if (!table) throw new Error('usage: node score-table.js MODEL TABLE.csv');

/** @type {Record<string, string>[]} */
const rows = parse(await readFile(table), { columns: true, trim: true, bom: true });
const columns = Object.keys(rows[0] ?? {});
const session = await InferenceSession.create(model);
try {
  const results = await session.run(session.inputNames.length === 1 ? asMatrix() : asColumns());
  const [label, scores] = session.outputNames.map((name) => results[name]);
  if (scores && !scores.dims) throw new Error('scores are maps: export with options={"zipmap": False}');
  for (let i = 0; i < rows.length; i++) {
    const probabilities = scores ? [...scores.data].slice(i * scores.dims[1], (i + 1) * scores.dims[1]) : [];
    console.log([label.data[i], ...probabilities.map((p) => Number(p).toFixed(4))].join(','));
  }
} finally {
  await session.release();
}

/** A model with one input takes all columns, in order. */
function asMatrix() {
  const numbers = rows.flatMap((row, i) => columns.map((column) => numberIn(row, i, column)));
  return { [session.inputNames[0]]: new Tensor('float32', numbers, [rows.length, columns.length]) };
}

/** A pipeline with a ColumnTransformer has one input per column. */
function asColumns() {
  const feeds = session.inputMetadata.map((input) => {
    const { name, type } = /** @type {{ name: string, type: 'float32' | 'int64' | 'string' }} */ (input);
    if (!columns.includes(name)) throw new Error(`the table has no column "${name}", only ${columns.join(', ')}`);
    const entries = rows.map((row, i) => (type === 'string' ? row[name] : numberIn(row, i, name)));
    const data = type === 'int64' ? entries.map(BigInt) : entries;
    return [name, new Tensor(type, /** @type {string[]} */ (data), [rows.length, 1])];
  });
  return Object.fromEntries(feeds);
}

/** @param {Record<string, string>} row @param {number} i @param {string} column */
function numberIn(row, i, column) {
  const number = row[column] === '' ? Number.NaN : Number(row[column]); // NaN is a missing value.
  if (row[column] === '' || !Number.isNaN(number)) return number;
  throw new Error(`row ${i + 1}, column "${column}": "${row[column]}" is not a number`);
}
