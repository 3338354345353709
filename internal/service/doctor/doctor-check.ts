// One line of `anode doctor`, and where it is looked.

export interface DoctorCheck {
  what: string
  /**
   * `missing` parts have a fall-back or are optional; `warning`: it works, but hardly as it is meant;
   * `broken` ones stop something from working.
   */
  state: 'ok' | 'missing' | 'warning' | 'broken'
  detail: string
}

export interface DoctorTarget {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}
