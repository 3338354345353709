// Counters of the server, in the text format of Prometheus.
import type { RecordedActivity } from '../../event/recorded-activity.ts'
import type { RunSummary } from '../run-summary.ts'
import { createLatencyHistogram } from './latency-histogram.ts'

const runStates: readonly RunSummary['state'][] = ['running', 'waiting', 'idle', 'ended', 'broken']

export interface ServerCounts {
  /** Number of open streams. */
  streams: number
  /** Counts a request; `seconds` is the time until its response began. */
  countRequest(status: number, seconds: number): void
  /**
   * Returns the counters in the text format of Prometheus. `activity` contains the events since
   * the previous call.
   */
  format(runs: readonly RunSummary[], activity: RecordedActivity): string
}

export function createServerCounts(): ServerCounts {
  const requests = new Map<string, number>()
  const calls = new Map<string, number>()
  const ends = new Map<string, number>()
  const tokens = new Map<string, number>()
  const times = {
    anode_http_request_duration_seconds: createLatencyHistogram(),
    anode_tool_call_duration_seconds: createLatencyHistogram(),
    anode_run_duration_seconds: createLatencyHistogram(),
  }
  let turns = 0
  const take = (activity: RecordedActivity) => {
    turns += activity.turns
    addAll(calls, activity.calls)
    addAll(ends, activity.ends)
    addAll(tokens, Object.entries(activity.tokens))
    for (const one of activity.callSeconds) times.anode_tool_call_duration_seconds.observe(one)
    for (const one of activity.runSeconds) times.anode_run_duration_seconds.observe(one)
  }
  const counts: ServerCounts = {
    streams: 0,
    countRequest(status, seconds) {
      addAll(requests, [[`${status}`, 1]])
      times.anode_http_request_duration_seconds.observe(seconds)
    },
    format(runs, activity) {
      take(activity)
      const byState = runStates.map(
        (state) => [state, runs.filter((run) => run.state === state).length] as const,
      )
      const live = runs.reduce((sum, run) => sum + (run.tokens ?? 0), 0)
      const waits = runs.reduce((sum, run) => sum + run.waits.length, 0)
      return [
        ...formatMetric('anode_http_requests_total', 'counter', 'status', requests),
        ...formatMetric('anode_event_streams', 'gauge', undefined, [['', counts.streams]]),
        ...formatMetric('anode_runs', 'gauge', 'state', byState),
        ...formatMetric('anode_runs_ended_total', 'counter', 'end', ends),
        ...formatMetric('anode_live_run_tokens', 'gauge', undefined, [['', live]]),
        ...formatMetric('anode_turns_total', 'counter', undefined, [['', turns]]),
        ...formatMetric('anode_tokens_total', 'counter', 'kind', tokens),
        ...formatMetric('anode_tool_calls_total', 'counter', 'result', calls),
        ...formatMetric('anode_queue', 'gauge', 'queue', [
          ...Object.entries(activity.queued),
          ['answers', waits],
        ]),
        ...Object.entries(times).flatMap(([name, histogram]) => histogram.format(name)),
        '',
      ].join('\n')
    },
  }
  return counts
}

function addAll(counts: Map<string, number>, more: Iterable<readonly [string, number]>): void {
  for (const [key, count] of more) counts.set(key, (counts.get(key) ?? 0) + count)
}

function formatMetric(
  name: string,
  type: 'counter' | 'gauge',
  label: string | undefined,
  values: Iterable<readonly [string, number]>,
): string[] {
  const lines = [...values].map(([value, count]) => {
    // Codes and ends consist of word characters. Any other character could break the line, so it is replaced.
    const labelText = label === undefined ? '' : `{${label}="${value.replace(/[^\w.-]/g, '_')}"}`
    return `${name}${labelText} ${count}`
  })
  return [`# TYPE ${name} ${type}`, ...lines]
}
