/** 24×24 stroke icons, drawn for this page. */
const PATHS = {
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5',
  check: 'M4.5 12.5 9.5 17.5 19.5 6.5',
  open: 'M3.5 18.5v-13h6l2 2.5h9v10.5z',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  dark: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  save: 'M12 4v11M7.5 11 12 15.5 16.5 11M4.5 19.5h15',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01',
} as const;

/** An icon by its name or SVG path. */
export const Icon = ({ name, path }: { name: keyof typeof PATHS; path?: never } | { name?: never; path: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={path ?? PATHS[name]} />
  </svg>
);
