import type { ComponentType } from 'preact';
import { selection } from '../../store/workspace.js';
import { ModuleDetails } from './module-details.js';
import { NodeDetails } from './node-details.js';
import { ValueDetails } from './value-details.js';
import './details.css';

const KINDS: Readonly<Record<'node' | 'value' | 'module', ComponentType<{ index: number }>>> = {
  node: NodeDetails,
  value: ValueDetails,
  module: ModuleDetails,
};

export default function Details() {
  const chosen = selection.value;
  if (!chosen) return null;
  const Kind = KINDS[chosen.kind];
  return <Kind key={`${chosen.kind} ${chosen.index}`} index={chosen.index} />;
}
