import { TYPE_WIDTH } from '../paint/look.js';
import { paint } from '../paint/paint.js';
import { MARGIN, type Portrait, sizeOf } from './portrait.js';
import { escaped, svgPen } from './svg-pen.js';
import { breathe, inSlices } from './turns.js';

/** The picture at a zoom of 1 as an SVG document with real text; made in slices of a few milliseconds. */
export async function pictureAsSvg({ scene, dress }: Portrait): Promise<Blob> {
  const pen = svgPen();
  const parts: string[] = [head({ scene, dress }), '\n'];
  const { width, height } = scene.picture;
  await breathe();
  const window = { x: 0, y: 0, width: width + TYPE_WIDTH.most, height };
  const work = paint({ scene, dress, pen, zoom: 1, density: 1, window });
  await inSlices(work, () => void parts.push(pen.take(), '\n'));
  parts.push(pen.take(), '</g></svg>\n');
  return new Blob(parts, { type: 'image/svg+xml' });
}

function head({ scene, dress }: Portrait): string {
  const { width, height } = sizeOf(scene);
  const { theme } = dress;
  const box = `viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ${box}>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${theme.background}"/>`,
    `<g font-family="${escaped(theme.font)}" stroke-linejoin="round">`,
  ].join('\n');
}
