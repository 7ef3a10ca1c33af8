import './fields.css';
import { sharesMemory } from '../../store/workers/sharing.js';
import { Choice } from '../../ui/choice.js';
import { LEVELS, type Settings, VARIANTS } from '../../workers/contracts/settings.js';

const LEVEL_TITLES: Readonly<Record<Settings['level'], string>> = {
  all: 'All',
  layout: 'Layout',
  extended: 'Extended',
  basic: 'Basic',
  disabled: 'None',
};
const VARIANT_TITLES: Readonly<Record<Settings['variant'], string>> = {
  auto: 'Automatic',
  simd: 'SIMD',
  relaxed: 'Relaxed SIMD',
};

const most = Math.min(8, navigator.hardwareConcurrency);
const THREADS = sharesMemory ? [0, ...Array.from({ length: most }, (_, i) => i + 1)] : [1];
const threadsTitle = (threads: number) => (threads === 0 ? `All (${most})` : `${threads}`);

interface Props {
  readonly value: Settings;
  readonly onChange: (value: Settings) => void;
}

/** The settings of a session: rewrites, kernels and threads. */
export const SettingsFields = ({ value, onChange }: Props) => (
  <div class="fields settings">
    <Choice
      title="Optimization"
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
      value={sharesMemory ? value.threads : 1}
      onChange={(threads) => onChange({ ...value, threads })}
    />
  </div>
);
