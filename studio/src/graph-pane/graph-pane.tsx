import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { picture } from '../workspace/workspace.js';

/** The graph in view, drawn. */
export function GraphPane() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    const drawn = picture.value;
    const context = canvas.current?.getContext('2d');
    if (!drawn || !context) return;
    const scale = Math.min(context.canvas.width / drawn.width, context.canvas.height / drawn.height);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const { count, x, y, width, height } = drawn.boxes;
    for (let i = 0; i < count; i++)
      context.strokeRect(x[i] as number, y[i] as number, width[i] as number, height[i] as number);
  });
  return <canvas ref={canvas} width={1200} height={800} aria-label="The graph" />;
}
