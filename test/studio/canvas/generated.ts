import type { Drawn } from '../../../studio/src/canvas/scene/scene.js';
import { CATEGORIES, type Outline, type Ragged } from '../../../studio/src/graph/outline.js';
import { BoxKind, type Picture } from '../../../studio/src/graph/picture.js';

const PITCH = { x: 150, y: 76 };
const BOX = { width: 112, height: 28 };
const HEADER = 40;
/** Columns and rows of the blocks that are drawn as opened modules. */
const BLOCK = { columns: 6, rows: 8 };
/** One edge of so many passes by in a lane at the side. */
const LANE = 60;

const OPERATORS = [
  'Conv',
  'Relu',
  'MatMul',
  'LayerNormalization',
  'Add',
  'Reshape',
  'MaxPool',
  'Softmax',
  'QuantizeLinear',
];
const OF_CATEGORY = [1, 3, 1, 2, 5, 7, 4, 3, 8];

const ragged = (lists: readonly (readonly number[])[]): Ragged => {
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => {
    start[i + 1] = (start[i] as number) + list.length;
  });
  return { start, values: Int32Array.from(lists.flat()) };
};

/** A drawing of about `count` nodes, as wide as it is high on a screen of 8:5, in opened modules; one edge in LANE is long. */
export function generated(count: number): Drawn {
  const columns = Math.max(1, Math.round(Math.sqrt((count * 1.6 * PITCH.y) / PITCH.x)));
  const rows = Math.ceil(count / columns);
  const nodes = columns * rows;
  const links = linksOf(columns, rows);
  const outline = outlineOf(nodes, links);
  const blocks = Math.ceil(columns / BLOCK.columns) * Math.ceil(rows / BLOCK.rows);
  const blockOf = (node: number) =>
    Math.floor(Math.floor(node / columns) / BLOCK.rows) * Math.ceil(columns / BLOCK.columns) +
    Math.floor((node % columns) / BLOCK.columns);
  const modules = {
    count: blocks,
    parent: new Int32Array(blocks).fill(-1),
    title: Array.from({ length: blocks }, (_, i) => `Block ${i}`),
    path: Array.from({ length: blocks }, (_, i) => `network/block.${i}`),
    size: new Int32Array(blocks).fill(BLOCK.columns * BLOCK.rows),
    alike: new Int32Array(blocks),
    ofNode: Int32Array.from({ length: nodes }, (_, node) => blockOf(node)),
  };
  const picture = pictureOf(columns, rows, blocks, modules.ofNode, links);
  return { outline, modules, picture, direction: 'down' };
}

interface Link {
  readonly from: number;
  readonly to: number;
  readonly isLong: boolean;
}

function linksOf(columns: number, rows: number): readonly Link[] {
  const links: Link[] = [];
  for (let node = 0; node < columns * (rows - 1); node++) {
    const column = node % columns;
    const below = node + columns;
    links.push({ from: node, to: below, isLong: false });
    const aside = Math.min(columns - 1, Math.max(0, column + ((node * 7) % 5) - 2));
    if (node % 3 === 0 && aside !== column) links.push({ from: node, to: below - column + aside, isLong: false });
    const far = node + columns * Math.min(rows - 1 - Math.floor(node / columns), 9 + (node % 23));
    if (node % LANE === 0 && far > below) links.push({ from: node, to: far, isLong: true });
  }
  return links;
}

function outlineOf(nodes: number, links: readonly Link[]): Outline {
  const strings = [
    '',
    ...OPERATORS,
    'float32[batch, 128, 56, 56]',
    ...Array.from({ length: nodes }, (_, i) => `/network/block/node_${i}`),
  ];
  const firstName = OPERATORS.length + 2;
  const name = Int32Array.from({ length: nodes }, (_, i) => firstName + i);
  const inputs: number[][] = Array.from({ length: nodes }, () => []);
  for (const { from, to } of links) inputs[to]?.push(from);
  const none = ragged(Array.from({ length: nodes }, () => []));
  return {
    path: '',
    strings,
    nodes: {
      count: nodes,
      name,
      operator: Int32Array.from({ length: nodes }, (_, i) => 1 + (i % OPERATORS.length)),
      domain: new Int32Array(nodes),
      scope: new Int32Array(nodes),
      category: Uint8Array.from(
        { length: nodes },
        (_, i) => (OF_CATEGORY[i % OPERATORS.length] as number) % CATEGORIES.length,
      ),
      flags: new Uint8Array(nodes),
      inputs: ragged(inputs),
      outputs: ragged(Array.from({ length: nodes }, (_, i) => [i])),
      captured: none,
    },
    values: {
      count: nodes,
      name,
      type: new Int32Array(nodes).fill(OPERATORS.length + 1),
      producer: Int32Array.from({ length: nodes }, (_, i) => i),
      flags: new Uint8Array(nodes),
    },
    inputs: new Int32Array(0),
    outputs: new Int32Array(0),
  };
}

function pictureOf(columns: number, rows: number, blocks: number, ofNode: Int32Array, links: readonly Link[]): Picture {
  const nodes = columns * rows;
  const count = blocks + nodes;
  const left = (column: number) => 40 + column * PITCH.x + Math.floor(column / BLOCK.columns) * 32;
  const top = (row: number) => 20 + row * PITCH.y + Math.floor(row / BLOCK.rows) * (HEADER + 40) + HEADER;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const across = Math.ceil(columns / BLOCK.columns);
  for (let block = 0; block < blocks; block++) {
    x[block] = left((block % across) * BLOCK.columns) - 16;
    y[block] = top(Math.floor(block / across) * BLOCK.rows) - HEADER;
  }
  for (let node = 0; node < nodes; node++) {
    x[blocks + node] = left(node % columns);
    y[blocks + node] = top(Math.floor(node / columns));
  }
  const isBlock = (box: number) => box < blocks;
  const sized = (ofBlock: (block: number) => number, ofNodes: number) =>
    Float32Array.from({ length: count }, (_, box) => (isBlock(box) ? ofBlock(box) : ofNodes));
  const inRow = (block: number) => Math.min(BLOCK.columns, columns - (block % across) * BLOCK.columns);
  const inColumn = (block: number) => Math.min(BLOCK.rows, rows - Math.floor(block / across) * BLOCK.rows);
  const corners = links.map((link) => route(x, y, blocks, link));
  const start = new Int32Array(links.length + 1);
  corners.forEach((list, i) => {
    start[i + 1] = (start[i] as number) + list.length / 2;
  });
  return {
    width: left(columns - 1) + BOX.width + 60,
    height: top(rows - 1) + BOX.height + 60,
    boxes: {
      count,
      x,
      y,
      width: sized((block) => inRow(block) * PITCH.x - (PITCH.x - BOX.width) + 32, BOX.width),
      height: sized((block) => inColumn(block) * PITCH.y - (PITCH.y - BOX.height) + HEADER + 16, BOX.height),
      kind: Uint8Array.from({ length: count }, (_, box) => (isBlock(box) ? BoxKind.openModule : BoxKind.node)),
      subject: Int32Array.from({ length: count }, (_, box) => (isBlock(box) ? box : box - blocks)),
      parent: Int32Array.from({ length: count }, (_, box) => (isBlock(box) ? -1 : (ofNode[box - blocks] as number))),
    },
    edges: {
      count: links.length,
      from: Int32Array.from(links, ({ from }) => blocks + from),
      to: Int32Array.from(links, ({ to }) => blocks + to),
      value: Int32Array.from(links, ({ from }) => from),
      shared: new Int32Array(links.length).fill(1),
      start,
      corners: Float32Array.from(corners.flat()),
    },
  };
}

function route(x: Float32Array, y: Float32Array, blocks: number, { from, to, isLong }: Link): number[] {
  const [x0, y0] = [(x[blocks + from] as number) + BOX.width / 2, (y[blocks + from] as number) + BOX.height];
  const [x1, y1] = [(x[blocks + to] as number) + BOX.width / 2, y[blocks + to] as number];
  if (!isLong) return x0 === x1 ? [x0, y0, x1, y1] : [x0, y0, x0, y0 + 20, x1, y0 + 20, x1, y1];
  const lane = x0 + BOX.width / 2 + 19;
  return [x0, y0, x0, y0 + 12, lane, y0 + 12, lane, y1 - 12, x1, y1 - 12, x1, y1];
}
