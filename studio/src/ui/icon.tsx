/** Icons of 24×24 as strokes, drawn for this page. */
const PATHS = {
  model: 'M12 3 4 7.5v9L12 21l8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  weights: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5',
  find: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
  run: 'M7 4.5v15l12-7.5z',
  measure: 'M4 20h16M6.5 20v-6M11 20V9M15.5 20v-9M20 20V5',
  understand:
    'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  compare: 'M4 5h6v14H4zM14 5h6v14h-6zM10 9h4M10 15h4',
  verify: 'M4.5 12.5 9.5 17.5 19.5 6.5',
  quantise: 'M4 18h4v-4h4v-4h4V6h4',
  watch: 'M3.5 17.5 9 11l4 3.5L20.5 6M20.5 6h-5M20.5 6v5',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  open: 'M3.5 18.5v-13h6l2 2.5h9v10.5z',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  dark: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  save: 'M12 4v11M7.5 11 12 15.5 16.5 11M4.5 19.5h15',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
