import { countOf, type PlainArray, plain } from './array.js';
import { float, int, maybe, type Reference, type ReferenceNode, type References, tensor, text } from './definition.js';
import { exact, inexact, isFloat } from './number-types.js';
import { broadcastDims, broadcastOffsets, offsets, stridesOf, sums } from './offsets.js';

interface Matrices {
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

/** As numpy.matmul: matrices in the last two axes, vectors as a row on the left and a column on the right. */
export function matrixProduct(a: Matrices, b: Matrices, zero = 0): Matrices {
  const inA = a.dims.length === 1 ? [1, ...a.dims] : a.dims;
  const inB = b.dims.length === 1 ? [...b.dims, 1] : b.dims;
  const batch = broadcastDims([inA.slice(0, -2), inB.slice(0, -2)]);
  const [m, k] = inA.slice(-2) as [number, number];
  const [rows, n] = inB.slice(-2) as [number, number];
  if (k !== rows) throw new RangeError(`no product of [${a.dims}] and [${b.dims}]`);
  const fromA = broadcastOffsets(inA.slice(0, -2), batch);
  const fromB = broadcastOffsets(inB.slice(0, -2), batch);
  const data: number[] = [];
  for (let matrix = 0; matrix < fromA.length; matrix++) {
    const startB = (fromB[matrix] as number) * k * n;
    for (let i = 0; i < m; i++) {
      const row = ((fromA[matrix] as number) * m + i) * k;
      for (let j = 0; j < n; j++) {
        let sum = zero;
        for (let p = 0; p < k; p++) sum += (a.data[row + p] as number) * (b.data[startB + p * n + j] as number);
        data.push(sum);
      }
    }
  }
  return { dims: [...batch, ...(a.dims.length > 1 ? [m] : []), ...(b.dims.length > 1 ? [n] : [])], data };
}

const MatMul: Reference = (node) => {
  const [a, b] = [tensor(node, 0), tensor(node, 1)];
  const { data: left, zero } = exact(a);
  const { dims, data } = matrixProduct({ dims: a.dims, data: left }, { dims: b.dims, data: exact(b).data }, zero);
  return [plain(a.type, dims, inexact(a.type, data))];
};

function transposed({ type, dims, data }: PlainArray): PlainArray {
  const [rows, columns] = dims as [number, number];
  return plain(
    type,
    [columns, rows],
    Array.from(offsets([columns, rows], [1, columns]), (at) => data[at] as number),
  );
}

const operand = (node: ReferenceNode, i: number, attribute: string): PlainArray =>
  int(node, attribute, 0) ? transposed(tensor(node, i)) : tensor(node, i);

/** alpha · A′ · B′ + beta · C */
const Gemm: Reference = (node) => {
  const [a, b, c] = [operand(node, 0, 'transA'), operand(node, 1, 'transB'), maybe(node, 2)];
  const { type } = a;
  const [alpha, beta] = [float(node, 'alpha', 1), float(node, 'beta', 1)];
  if (!isFloat(type) && (alpha !== 1 || beta !== 1)) return undefined;
  const { data: left, zero } = exact(a);
  const { dims, data } = matrixProduct({ dims: a.dims, data: left }, { dims: b.dims, data: exact(b).data }, zero);
  const scaled = isFloat(type) ? data.map((x) => alpha * x) : data;
  if (!c) return [plain(type, dims, inexact(type, scaled))];
  const added = exact(c).data;
  const inC = broadcastOffsets(c.dims, dims);
  const term = (i: number) => added[inC[i] as number] as number;
  const sum = scaled.map(isFloat(type) ? (x, i) => x + beta * term(i) : (x, i) => x + term(i));
  return [plain(type, dims, inexact(type, sum))];
};

interface Equation {
  readonly inputs: readonly string[];
  readonly output: string;
}

/** Stands for the axes of an ellipsis, the last one last. */
const ELLIPSIS_AXES = '0123456789';

/** The equation with a label for every axis, those of an ellipsis digits. */
function parseEquation(equation: string, ranks: readonly number[]): Equation {
  const [left = '', right] = equation.replaceAll(' ', '').split('->');
  const terms = left.split(',');
  const widths = terms.map((term, i) => (term.includes('...') ? (ranks[i] as number) - (term.length - 3) : 0));
  const most = Math.max(...widths);
  const axes = (width: number) => ELLIPSIS_AXES.slice(most - width, most);
  const inputs = terms.map((term, i) => term.replace('...', axes(widths[i] as number)));
  if (right !== undefined) return { inputs, output: right.replace('...', axes(most)) };
  const labels = [...inputs.join('')].filter((label) => !ELLIPSIS_AXES.includes(label));
  const once = labels.filter((label) => labels.indexOf(label) === labels.lastIndexOf(label)).sort();
  return { inputs, output: axes(most) + once.join('') };
}

function sizesOf(inputs: readonly string[], operands: readonly PlainArray[]): Map<string, number> {
  const sizes = new Map<string, number>();
  inputs.forEach((labels, i) => {
    [...labels].forEach((label, axis) => {
      const size = operands[i]?.dims[axis] as number;
      const known = sizes.get(label) ?? 1;
      if (size !== known && size !== 1 && known !== 1) throw new RangeError(`${label} is both ${known} and ${size}`);
      sizes.set(label, size === 1 ? (sizes.get(label) ?? 1) : size);
    });
  });
  return sizes;
}

/** Where the elements that these labels run over lie in an operand. */
function labelledOffsets(labels: string, over: readonly string[], sizes: Map<string, number>, dims: readonly number[]) {
  const strides = stridesOf(dims);
  const stride = (label: string) =>
    [...labels].reduce(
      (sum, own, axis) => sum + (own === label && dims[axis] !== 1 ? (strides[axis] as number) : 0),
      0,
    );
  return sums(
    over.map((label) => Array.from({ length: sizes.get(label) as number }, (_, index) => index * stride(label))),
  );
}

const Einsum: Reference = (node) => {
  const operands = node.inputs.map((_, i) => tensor(node, i));
  const { inputs, output } = parseEquation(
    text(node, 'equation', ''),
    operands.map(({ dims }) => dims.length),
  );
  const sizes = sizesOf(inputs, operands);
  const summed = [...sizes.keys()].filter((label) => !output.includes(label));
  const kept = [...output];
  const type = operands[0]?.type as PlainArray['type'];
  const parts = operands.map((operand, i) => ({
    data: exact(operand).data,
    outer: labelledOffsets(inputs[i] as string, kept, sizes, operand.dims),
    inner: labelledOffsets(inputs[i] as string, summed, sizes, operand.dims),
  }));
  const { zero, one } = exact(operands[0] as PlainArray);
  const dims = kept.map((label) => sizes.get(label) as number);
  const terms = countOf(summed.map((label) => sizes.get(label) as number));
  const data = Array.from({ length: countOf(dims) }, (_, at) => {
    let sum = zero;
    for (let term = 0; term < terms; term++) {
      let product = one;
      for (const part of parts)
        product *= part.data[(part.outer[at] as number) + (part.inner[term] as number)] as number;
      sum += product;
    }
    return sum;
  });
  return [plain(type, dims, inexact(type, data))];
};

/** The product of the pivots that elimination leaves. */
function determinant(matrix: readonly number[], size: number): number {
  const rows = Array.from({ length: size }, (_, row) => matrix.slice(row * size, (row + 1) * size));
  let product = 1;
  for (let column = 0; column < size; column++) {
    const magnitudes = rows.map((row, i) => (i < column ? -1 : Math.abs(row[column] as number)));
    const best = magnitudes.indexOf(Math.max(...magnitudes));
    const pivot = rows[best] as number[];
    [rows[best], rows[column]] = [rows[column] as number[], pivot];
    const value = pivot[column] as number;
    product *= best === column ? value : -value;
    if (value === 0) return 0;
    for (let i = column + 1; i < size; i++) {
      const row = rows[i] as number[];
      const factor = (row[column] as number) / value;
      for (let j = column; j < size; j++) row[j] = (row[j] as number) - factor * (pivot[j] as number);
    }
  }
  return product;
}

const Det: Reference = (node) => {
  const { type, dims, data } = tensor(node, 0);
  const size = dims.at(-1) as number;
  const count = countOf(dims.slice(0, -2));
  const matrix = (i: number) => (data as number[]).slice(i * size * size, (i + 1) * size * size);
  const found = Array.from({ length: count }, (_, i) => determinant(matrix(i), size));
  return [plain(type, dims.slice(0, -2), found)];
};

export const MATMUL: References = { MatMul, Gemm, Einsum, Det };
