/** Parts of file names by which the tools recognize their log files. */
export const IN_NAMES = { TensorBoard: 'tfevents', VisualDL: 'vdlrecords' } as const;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether a file holds points of TensorBoard's projector. */
export const isPoints = (path: string): boolean => nameOf(path) === 'tensors.tsv';

export const isLog = (path: string): boolean =>
  isPoints(path) || Object.values(IN_NAMES).some((inName) => nameOf(path).includes(inName));
