import { useEffect, useRef } from 'preact/hooks';
import { numberText } from '../../ui/number-text.js';
import type { TensorPicture } from '../../workers/contracts/tensors.js';

/** A picture of a tensor with a legend of its colours; small tensors have larger pixels. */
export function TensorImage({ of }: { of: TensorPicture }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current?.getContext('2d')?.putImageData(new ImageData(of.pixels, of.width, of.height), 0, 0);
  }, [of]);
  const enlarged = Math.max(1, Math.min(16, Math.floor(320 / Math.max(of.width, of.height / 2))));
  const label = `${of.title}; colors from ${numberText(of.low)} to ${numberText(of.high)}`;
  return (
    <figure class="tensor-image">
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        width={of.width}
        height={of.height}
        style={{ width: `${of.width * enlarged}px` }}
      />
      <figcaption class="quiet">{label}</figcaption>
    </figure>
  );
}
