import './fields.css';
import { LEVELS, type Settings, VARIANTS } from './settings.js';

const LEVEL_TITLES: Readonly<Record<Settings['level'], string>> = {
  all: 'All rewrites',
  layout: 'Layout',
  extended: 'Extended',
  basic: 'Basic',
  disabled: 'As the model is',
};
const VARIANT_TITLES: Readonly<Record<Settings['variant'], string>> = {
  auto: 'Best here',
  simd: 'SIMD',
  relaxed: 'Relaxed SIMD',
};

const most = Math.min(8, navigator.hardwareConcurrency);
const THREADS = self.crossOriginIsolated ? [0, ...Array.from({ length: most }, (_, i) => i + 1)] : [1];
const threadsTitle = (threads: number) => (threads === 0 ? `All (${most})` : `${threads}`);

interface Props {
  readonly value: Settings;
  readonly onChange: (value: Settings) => void;
}

/** How a session is made: rewrites, kernels and threads. */
export const SettingsFields = ({ value, onChange }: Props) => (
  <div class="row fields">
    <Choice
      title="Rewrites"
      options={LEVELS.map((id) => [id, LEVEL_TITLES[id]])}
      value={value.level}
      onChange={(level) => onChange({ ...value, level })}
    />
    <Choice
      title="Kernels"
      options={VARIANTS.map((id) => [id, VARIANT_TITLES[id]])}
      value={value.variant}
      onChange={(variant) => onChange({ ...value, variant })}
    />
    <Choice
      title="Threads"
      options={THREADS.map((threads) => [threads, threadsTitle(threads)])}
      value={self.crossOriginIsolated ? value.threads : 1}
      onChange={(threads) => onChange({ ...value, threads })}
    />
  </div>
);

interface ChoiceProps<T extends string | number> {
  readonly title: string;
  readonly options: readonly (readonly [T, string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a few. */
export const Choice = <T extends string | number>({ title, options, value, onChange }: ChoiceProps<T>) => (
  <label class="label">
    {title}
    <select
      class="select"
      value={`${value}`}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([id]) => `${id}` === currentTarget.value);
        if (chosen) onChange(chosen[0]);
      }}
    >
      {options.map(([id, text]) => (
        <option key={id} value={`${id}`}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
