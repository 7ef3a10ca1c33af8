import { computed } from '@preact/signals';
import type { Drawn } from '../../canvas/scene/scene.js';
import { direction, lines, modules, outline, picture } from '../../store/workspace.js';

/** The current drawing. A change of direction takes effect only with the new picture, which comes later. */
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
