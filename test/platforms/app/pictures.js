import { imageTensor, toImageData } from '/node_modules/sardonyx/dist/image.js';
import { InferenceSession, Tensor } from '/node_modules/sardonyx/dist/index.js';
import { fetchExample } from './example.js';

/** Four quarters: red, green, blue, white. */
const QUARTERS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];

function paint(context, size) {
  QUARTERS.forEach(([red, green, blue], i) => {
    context.fillStyle = `rgb(${red} ${green} ${blue})`;
    context.fillRect(((i % 2) * size) / 2, ((i >> 1) * size) / 2, size / 2, size / 2);
  });
}

const SIZE = 32;

/** The quarters' middles as a tensor has them, and its dims. */
async function seen(source, options) {
  const { dims, data } = await imageTensor(source, { normalize: 'bytes', layout: 'NHWC', ...options });
  const [, height, width] = dims;
  const at = (x, y) => [...data.slice((Math.floor(y * height) * width + Math.floor(x * width)) * 3).slice(0, 3)];
  return { dims, quarters: [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)] };
}

/** A second of the canvas, as a camera would show it. */
async function filmed(canvas) {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = canvas.captureStream(30);
  const again = setInterval(() => paint(canvas.getContext('2d'), SIZE), 20);
  const [early] = await Promise.allSettled([imageTensor(video)]);
  await video.play();
  clearInterval(again);
  return { video, early: early.reason?.message };
}

async function outcomes() {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE });
  paint(canvas.getContext('2d'), SIZE);
  const offscreen = new OffscreenCanvas(SIZE, SIZE);
  paint(offscreen.getContext('2d'), SIZE);
  const png = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const webp = await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 1));
  const { video, early } = await filmed(canvas);
  const image = Object.assign(new Image(), { src: URL.createObjectURL(png) });
  const frame = new VideoFrame(canvas, { timestamp: 0 });
  const photo = new Uint8Array(await (await fetch('held.jpg')).arrayBuffer());
  const broken = await Promise.allSettled([imageTensor(new Blob(['no picture'])), imageTensor(new Image())]);
  const from = {
    canvas: await seen(canvas),
    offscreen: await seen(offscreen),
    ImageData: await seen(canvas.getContext('2d').getImageData(0, 0, SIZE, SIZE)),
    ImageBitmap: await seen(await createImageBitmap(canvas)),
    image: await seen(image),
    Blob: await seen(png),
    WebP: await seen(webp),
    bytes: await seen(new Uint8Array(await png.arrayBuffer())),
    URL: await seen(image.src),
    VideoFrame: await seen(frame),
    video: await seen(video),
    scaled: await seen(canvas, { size: [16, 24], fit: 'stretch' }),
  };
  frame.close();
  const tensor = await Tensor.fromImage(canvas, { tensorLayout: 'NHWC' });
  const back = toImageData(tensor);
  const later = await tensor.toImageData();
  const shown = canvas.getContext('2d').getImageData(0, 0, SIZE, SIZE);
  return {
    from,
    early,
    refused: broken.map(({ reason }) => `${reason?.code} ${reason?.message}`),
    held: (await imageTensor(photo)).dims,
    isImageData: back instanceof ImageData && later instanceof ImageData,
    comesBack: [back, later].every(({ data }) => data.every((value, i) => value === shown.data[i])),
    warmed: await warmed(),
  };
}

async function warmed() {
  const session = await InferenceSession.create('model.onnx');
  const { input } = await fetchExample();
  await session.warmUp({ [input.name]: input.dims });
  return session.memoryPlan !== null;
}

globalThis.outcome = outcomes().catch((error) => ({ message: String(error?.stack) }));
