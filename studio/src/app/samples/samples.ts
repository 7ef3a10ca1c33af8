import digits from '../../../../examples/digits/model.onnx?url';
import { report } from '../../store/notices.js';
import { openFiles } from '../opening/open.js';

export interface Sample {
  readonly title: string;
  readonly about: string;
  readonly file: () => Promise<File>;
}

/** Samples that need no file and no network. The page contains the first; it generates the other two. */
export const SAMPLES: readonly Sample[] = [
  { title: 'Image classifier', about: 'Handwritten digits, ONNX', file: classifier },
  {
    title: 'Transformer',
    about: 'Two layers, random weights, ONNX',
    file: async () => (await import('./transformer.js')).transformer(),
  },
  {
    title: 'Training log',
    about: 'Loss and weights, TensorBoard',
    file: async () => (await import('./training-log.js')).trainingLog(),
  },
];

async function classifier(): Promise<File> {
  const response = await fetch(digits);
  if (!response.ok) throw new Error(`the server returned ${response.status}`);
  return new File([await response.blob()], 'digits.onnx');
}

export async function openSample({ title, file }: Sample): Promise<void> {
  try {
    const data = await file();
    await openFiles([{ path: data.name, data }]);
  } catch (error) {
    report(`Cannot open the sample "${title}"`, error);
  }
}
