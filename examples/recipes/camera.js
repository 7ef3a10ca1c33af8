import { imageTensor, placementOf } from 'sardonyx/image';
import { InferenceSession } from 'sardonyx/worker'; // The page stays responsive.

/** A detector in torchvision's format: an image of 0 … 1 to boxes [n, 4] in its pixels, scores and labels, after NMS. */
const MODEL = new URLSearchParams(location.search).get('model') ?? 'model.onnx';
const MIN_SCORE = 0.5;

const video = /** @type {HTMLVideoElement} */ (document.getElementById('video'));
const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('boxes'));
const state = /** @type {HTMLElement} */ (document.getElementById('state'));
const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

try {
  const session = await InferenceSession.create(MODEL);
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  await new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }));
  for (;;) {
    const started = performance.now();
    const found = await detect(session);
    draw(found);
    state.textContent = `${found.length} found, ${(performance.now() - started).toFixed(0)} ms`;
    await new Promise((resolve) => video.requestVideoFrameCallback(resolve)); // Also pauses while the page is hidden.
  }
} catch (error) {
  const { name, message } = /** @type {Error} */ (error);
  state.textContent = name === 'NotAllowedError' ? 'This page may not use the camera.' : message;
}

/** The objects in the current frame, with boxes in its pixels. @param {InferenceSession} session */
async function detect(session) {
  const [frame, fit] = [{ width: video.videoWidth, height: video.videoHeight }, /** @type {const} */ ('contain')];
  const image = await imageTensor(video, { for: session, fit });
  const [height, width] = image.dims.slice(-2);
  const { boxes, scores, labels } = await session.run({ [session.inputNames[0]]: image });
  const placed = placementOf(frame, { width, height }, fit);
  const scale = frame.width / placed.width;
  const corners = /** @type {Float32Array} */ (boxes.data);
  const clamp = (/** @type {number} */ x, /** @type {number} */ max) => Math.min(Math.max(x, 0), max);
  return [...scores.data].map(Number).flatMap((score, i) => {
    if (score < MIN_SCORE) return [];
    const [left, right] = [0, 2].map((k) => clamp((corners[4 * i + k] - placed.left) * scale, frame.width));
    const [top, bottom] = [1, 3].map((k) => clamp((corners[4 * i + k] - placed.top) * scale, frame.height));
    return [{ label: Number(labels.data[i]), score, left, top, width: right - left, height: bottom - top }];
  });
}

/** @param {Awaited<ReturnType<typeof detect>>} found */
function draw(found) {
  Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight }); // Also clears it.
  Object.assign(context, { lineWidth: 4, strokeStyle: 'red', fillStyle: 'red', font: '20px sans-serif' });
  for (const { label, score, left, top, width, height } of found) {
    context.strokeRect(left, top, width, height);
    context.fillText(`${label}: ${(100 * score).toFixed(0)} %`, left + 6, top + 22);
  }
}
