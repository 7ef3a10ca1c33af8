import { canvasPen } from '../paint/canvas-pen.js';
import { paint } from '../paint/paint.js';
import type { Content } from './tiles.js';

/** The whole picture as a small bitmap: used by the map, and on the screen where tiles aren't drawn yet. */
export interface Overview {
  wear(content: Content, isSamePicture: boolean): void;
  /** Draws until `deadline` on the page's clock; returns whether there is more to do. */
  work(deadline: number): boolean;
  /** Undefined until it is drawn. */
  bitmap(): Bitmap | undefined;
}

/** In picture units. */
export interface Bitmap {
  readonly canvas: HTMLCanvasElement;
  readonly width: number;
  readonly height: number;
}

const LONGEST = 1024;
/** Below the zoom at which boxes get outlines and text. */
const MOST_ZOOM = 0.25;

export function createOverview(): Overview {
  let drawn: Bitmap | undefined;
  let rest: Generator<undefined, Bitmap> | undefined;
  return {
    wear(content, isSamePicture) {
      if (!isSamePicture) drawn = undefined;
      rest = painting(content);
    },
    work(deadline) {
      while (rest && performance.now() < deadline) {
        const { done, value } = rest.next();
        if (!done) continue;
        drawn = value;
        rest = undefined;
      }
      return rest !== undefined;
    },
    bitmap: () => drawn,
  };
}

function* painting({ scene, dress }: Content): Generator<undefined, Bitmap> {
  const [width, height] = [Math.max(1, scene.picture.width), Math.max(1, scene.picture.height)];
  const zoom = Math.min(MOST_ZOOM, LONGEST / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.ceil(width * zoom));
  canvas.height = Math.max(1, Math.ceil(height * zoom));
  const context = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
  context.fillStyle = dress.theme.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
  const window = { x: 0, y: 0, width, height };
  const stage = { scene, dress, pen: canvasPen(context, dress.theme.font), zoom, density: zoom, window };
  yield* paint(stage);
  return { canvas, width, height };
}
