import { history, redo, undo } from '../../store/edits.js';

type Direction = 'undo' | 'redo';

/** Ctrl (⌘) Z, with Shift or as Y the other way. */
export function directionOf(event: KeyboardEvent): Direction | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'y') return 'redo';
  if (key !== 'z') return undefined;
  return event.shiftKey ? 'redo' : 'undo';
}

/** Takes the last change back, or makes it again. */
export function followUndoKeys(event: KeyboardEvent): void {
  const direction = directionOf(event);
  if (!direction) return;
  event.preventDefault();
  event.stopPropagation();
  if (direction === 'undo' && history.peek().canUndo) void undo();
  if (direction === 'redo' && history.peek().canRedo) void redo();
}
