import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const KEY = 'sardonyx-studio-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const preferred = (): Theme => (dark.matches ? 'dark' : 'light');
const chosen = localStorage.getItem(KEY);

/** The system's theme, until the user chooses another. */
export const theme = signal<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : preferred());

dark.addEventListener('change', () => {
  if (localStorage.getItem(KEY) === null) theme.value = preferred();
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, theme.value);
}
