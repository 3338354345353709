// Types of `anode doctor`: one line of its output, and the workspace that it checks.

export interface DoctorCheck {
  what: string
  /**
   * `missing`: the part is optional or has a fallback. `warning`: the part works, but probably not as the
   * user intended. `broken`: something does not work.
   */
  state: 'ok' | 'missing' | 'warning' | 'broken'
  detail: string
}

export interface DoctorTarget {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}
