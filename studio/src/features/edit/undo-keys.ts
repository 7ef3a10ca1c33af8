import { history, redo, undo } from '../../store/edits.js';

type Direction = 'undo' | 'redo';

/** Ctrl (⌘) Z undoes; Ctrl (⌘) Shift Z or Y redoes. */
export function directionOf(event: KeyboardEvent): Direction | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'y') return 'redo';
  if (key !== 'z') return undefined;
  return event.shiftKey ? 'redo' : 'undo';
}

/** Undoes the last change, or redoes it. */
export function followUndoKeys(event: KeyboardEvent): void {
  const direction = directionOf(event);
  if (!direction) return;
  event.preventDefault();
  event.stopPropagation();
  if (direction === 'undo' && history.peek().canUndo) void undo();
  if (direction === 'redo' && history.peek().canRedo) void redo();
}
