import { computed } from '@preact/signals';
import type { Drawn } from '../../canvas/scene/scene.js';
import { direction, lines, modules, outline, picture } from '../../store/workspace.js';

/** What is drawn: of a change of direction only the picture tells, which comes later. */
export const drawn = computed<Drawn | null>(() => {
  if (!outline.value || !modules.value || !picture.value) return null;
  return {
    outline: outline.value,
    modules: modules.value,
    picture: picture.value,
    direction: direction.peek(),
    lines: lines.peek(),
  };
});
