import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { NumberField } from '../../ui/number-field.js';
import { SPEECH_RATE } from './samples-of.js';

const WIDTH = 300;
const HEIGHT = 48;

/** Samples as a waveform, and as audio at a sample rate. */
export function SoundView({ samples, title }: { samples: Float32Array; title: string }) {
  const rate = useSignal(SPEECH_RATE);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context) drawWave(context, samples);
  }, [samples]);
  return (
    <figure class="stack">
      <canvas ref={canvas} class="wave" width={WIDTH} height={HEIGHT} role="img" aria-label={`Waveform of ${title}`} />
      <div class="row">
        <button type="button" class="button" onClick={() => play(samples, rate.value)}>
          Play
        </button>
        <NumberField title="Sample rate (Hz)" of={rate} min={3000} max={192_000} />
      </div>
    </figure>
  );
}

function play(samples: Float32Array, rate: number): void {
  const context = new AudioContext();
  const buffer = context.createBuffer(1, samples.length, rate);
  buffer.copyToChannel(new Float32Array(samples), 0);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.onended = () => void context.close();
  source.start();
}

/** Draws the range of the samples in each column. */
function drawWave(context: CanvasRenderingContext2D, samples: Float32Array): void {
  context.clearRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = getComputedStyle(context.canvas).color;
  for (let x = 0; x < WIDTH; x++) {
    const part = samples.subarray((x * samples.length) / WIDTH, ((x + 1) * samples.length) / WIDTH);
    const [low, high] = [part.reduce((a, b) => Math.min(a, b), 0), part.reduce((a, b) => Math.max(a, b), 0)];
    context.fillRect(x, ((1 - high) * HEIGHT) / 2, 1, Math.max(1, ((high - low) * HEIGHT) / 2));
  }
}
