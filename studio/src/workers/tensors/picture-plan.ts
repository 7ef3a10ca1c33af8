/** The longest side of a picture, in pixels. */
const SIDE = 640;

/** Maps a tensor to a picture: the element that each pixel shows, or -1 for gaps between tiles. */
export interface PicturePlan {
  readonly width: number;
  readonly height: number;
  /** The distance between the red, green and blue elements of a pixel; 0 if a pixel is a single number. */
  readonly colours: number;
  readonly elementAt: (x: number, y: number) => number;
  /** A description of the content: a matrix, kernels, an image. */
  readonly title: string;
}

/** A plan that suits a tensor of these dims: color for images, tiles for kernels, otherwise a matrix. */
export function planPicture(dims: readonly number[]): PicturePlan | undefined {
  const count = dims.reduce((product, size) => product * size, 1);
  if (count < 2) return undefined;
  return planColours(dims) ?? planKernels(dims) ?? planMatrix(dims, count);
}

/** [3, H, W] with or without a batch of one, and [H, W, 3]. */
function planColours(dims: readonly number[]): PicturePlan | undefined {
  const [a = 0, b = 0, c = 0] = dims.length === 4 && dims[0] === 1 ? dims.slice(1) : dims.length === 3 ? dims : [];
  const isFirst = a === 3 && b >= 8 && c >= 8;
  if (!isFirst && !(c === 3 && a >= 8 && b >= 8)) return undefined;
  const [height, width] = isFirst ? [b, c] : [a, b];
  const [pixel, colours] = isFirst ? [1, height * width] : [3, 1];
  return shrunk(width, height, `${width} × ${height} image`, colours, (x, y) => (y * width + x) * pixel);
}

/** Convolution weights, [out, in, height, width]: a row of tiles for each output, or color tiles if there are three inputs. */
function planKernels(dims: readonly number[]): PicturePlan | undefined {
  const [out = 0, into = 0, high = 0, wide = 0] = dims;
  if (dims.length !== 4 || high > 16 || wide > 16 || high * wide < 2) return undefined;
  const isColour = into === 3;
  const total = isColour ? out : out * into;
  const columns = isColour || into === 1 ? Math.ceil(Math.sqrt(total)) : into;
  const fit = (size: number) => Math.max(1, Math.floor(SIDE / (size + 1)));
  const [shownColumns, shownRows] = [Math.min(columns, fit(wide)), Math.min(Math.ceil(total / columns), fit(high))];
  const step = isColour ? into * high * wide : high * wide;
  const shown = Math.min(total, shownColumns * shownRows);
  return {
    width: shownColumns * (wide + 1) - 1,
    height: shownRows * (high + 1) - 1,
    colours: isColour ? high * wide : 0,
    title: `${shown === total ? '' : `${shown} of `}${total} kernels of ${high} × ${wide}${isColour ? ', in color' : ''}`,
    elementAt: (x, y) => {
      const [column, row] = [Math.floor(x / (wide + 1)), Math.floor(y / (high + 1))];
      const [dx, dy] = [x % (wide + 1), y % (high + 1)];
      const tile = row * columns + column;
      return dx === wide || dy === high || tile >= total ? -1 : tile * step + dy * wide + dx;
    },
  };
}

function planMatrix(dims: readonly number[], count: number): PicturePlan {
  const columns = dims.length === 1 ? Math.ceil(Math.sqrt(count)) : (dims.at(-1) as number);
  const rows = Math.ceil(count / columns);
  const what = dims.length === 1 ? `${count} elements, row by row` : `${rows} × ${columns} matrix`;
  return shrunk(columns, rows, what, 0, (x, y) => {
    const element = y * columns + x;
    return element < count ? element : -1;
  });
}

/** Reduces larger tensors to every nth row and column. */
function shrunk(
  width: number,
  height: number,
  what: string,
  colours: number,
  elementAt: PicturePlan['elementAt'],
): PicturePlan {
  const [across, down] = [Math.ceil(width / SIDE), Math.ceil(height / SIDE)];
  const thinned = [across > 1 && `every ${ordinal(across)} column`, down > 1 && `every ${ordinal(down)} row`];
  return {
    width: Math.ceil(width / across),
    height: Math.ceil(height / down),
    colours,
    title: [what, ...thinned.filter(Boolean)].join(', '),
    elementAt: (x, y) => elementAt(x * across, y * down),
  };
}

const SUFFIXES = ['th', 'st', 'nd', 'rd'];
const ordinal = (n: number): string =>
  `${n}${(Math.floor(n / 10) % 10 === 1 ? undefined : SUFFIXES[n % 10]) ?? SUFFIXES[0]}`;
