import type { Entry } from '../contracts/log-entries.js';
import { IN_NAMES } from '../contracts/log-files.js';
import { type Framing, TFEVENTS, VDLRECORDS } from './records.js';
import { tfeventsReader } from './tfevents/read.js';
import { vdlrecordsReader } from './vdlrecords.js';

/** A log format: a part of its file names, the framing of records, and a reader for them. */
export interface Format {
  readonly name: string;
  readonly inName: string;
  readonly framing: Framing;
  readonly reader: () => (record: Uint8Array) => Entry[];
}

export const FORMATS: readonly Format[] = [
  { name: 'TensorBoard', inName: IN_NAMES.TensorBoard, framing: TFEVENTS, reader: tfeventsReader },
  { name: 'VisualDL', inName: IN_NAMES.VisualDL, framing: VDLRECORDS, reader: vdlrecordsReader },
];

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Detects the format by the file name, as its own tools do. */
export const formatOf = (path: string): Format | undefined =>
  FORMATS.find(({ inName }) => nameOf(path).includes(inName));
