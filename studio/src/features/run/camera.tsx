import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ValueMetadata } from 'sardonyx';
import { report } from '../../store/notices.js';
import { inputs, setInput } from '../../store/session.js';
import { PICTURE_CHOICES } from '../../workers/contracts/feeding.js';
import { PictureFields } from './picture-fields.js';
import { pictureOf } from './sources.js';
import { isLive } from './state.js';

const WIDTH = 320;

/** A picture from the camera; in live mode, one after another. */
export function Camera({ input: { name } }: { input: ValueMetadata }) {
  const video = useRef<HTMLVideoElement>(null);
  const isOn = useSignal(false);
  const choice = inputs.value.get(name);
  const take = () => {
    const pixels = video.current && frameOf(video.current);
    const before = inputs.peek().get(name);
    if (pixels) setInput(name, { kind: 'pixels', pixels, picture: before ? pictureOf(before) : PICTURE_CHOICES });
  };
  useEffect(() => (video.current ? watch(video.current, take, isOn) : undefined), []);
  return (
    <div class="stack">
      <video ref={video} class="camera" muted playsInline aria-label="Camera" />
      <div class="row">
        <button type="button" class="button" disabled={!isOn.value} onClick={take}>
          Capture frame
        </button>
        {choice?.kind === 'pixels' && (
          <span class="quiet">
            {choice.pixels.width} × {choice.pixels.height}
          </span>
        )}
      </div>
      {choice && <PictureFields name={name} value={pictureOf(choice)} />}
    </div>
  );
}

/** Shows the camera until the returned function is called, and takes a picture whenever one is wanted. */
function watch(video: HTMLVideoElement, take: () => void, isOn: { value: boolean }): () => void {
  let stream: MediaStream | undefined;
  let isOver = false;
  const stop = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
  };
  const next = () => {
    if (isOver) return;
    if (isLive.value) take();
    video.requestVideoFrameCallback(next);
  };
  void (async () => {
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: true });
      if (isOver) return stop();
      video.srcObject = stream;
      await video.play();
      isOn.value = true;
      next();
    } catch (error) {
      if (!isOver) report('Cannot use the camera', error);
    }
  })();
  return () => {
    isOver = true;
    stop();
  };
}

function frameOf(video: HTMLVideoElement): ImageData | undefined {
  if (video.videoWidth === 0) return undefined;
  const height = Math.max(1, Math.round((WIDTH * video.videoHeight) / video.videoWidth));
  const context = new OffscreenCanvas(WIDTH, height).getContext('2d', { willReadFrequently: true });
  context?.drawImage(video, 0, 0, WIDTH, height);
  return context?.getImageData(0, 0, WIDTH, height);
}
