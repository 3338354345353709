// Counts of the server in the text form of Prometheus.
import type { RunSummary } from '../run-summary.ts'

const runStates: readonly RunSummary['state'][] = ['running', 'waiting', 'idle', 'ended', 'broken']

export interface ServerCounts {
  /** Open now. */
  streams: number
  countRequest(status: number): void
  format(runs: readonly RunSummary[]): string
}

export function createServerCounts(): ServerCounts {
  const requests = new Map<number, number>()
  const counts: ServerCounts = {
    streams: 0,
    countRequest(status) {
      requests.set(status, (requests.get(status) ?? 0) + 1)
    },
    format(runs) {
      const tokens = runs.reduce((sum, run) => sum + (run.tokens ?? 0), 0)
      return [
        '# TYPE anode_http_requests_total counter',
        ...[...requests].map(([status, count]) => `anode_http_requests_total{status="${status}"} ${count}`),
        '# TYPE anode_event_streams gauge',
        `anode_event_streams ${counts.streams}`,
        '# TYPE anode_runs gauge',
        ...runStates.map((state) => `anode_runs{state="${state}"} ${countOf(runs, state)}`),
        '# TYPE anode_live_run_tokens gauge',
        `anode_live_run_tokens ${tokens}`,
        '',
      ].join('\n')
    },
  }
  return counts
}

const countOf = (runs: readonly RunSummary[], state: RunSummary['state']) =>
  runs.filter((run) => run.state === state).length
