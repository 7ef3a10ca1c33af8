export type Reply<Report> = { report: Report } | { error: string };

/** Receives one job, does it, replies, and ends the process. */
export function serve<Job, Report>(work: (job: Job) => Promise<Report>): void {
  const reply = (message: Reply<Report>) => process.send?.(message, () => process.exit());
  process.once('message', (job: Job) =>
    work(job).then(
      (report) => reply({ report }),
      (error) => reply({ error: String(error?.message ?? error) }),
    ),
  );
}
