// The studies that this machine knows: found by project, by a prefix of the id, or as the newest.
import type { Connection } from '../connection.ts'

export interface Known {
  id: string
  /** Real path of the workspace it was started in. */
  project: string | null
  created: number
  /** Number of lines of its log that are here. */
  lines: number
}

export interface Studies {
  /** Newest first; without `project` those of all projects. */
  list(query: { project?: string; limit?: number }): Known[]
  /** Studies whose id begins with `prefix`, newest first, at most 20; `last` is the newest one of `project`. */
  find(prefix: string, project: string): Known[]
}

const columns = 'id, project, created, last AS lines'

export function createStudies(db: Connection): Studies {
  const list: Studies['list'] = ({ project, limit }) =>
    db.all<Known>(
      `SELECT ${columns} FROM study WHERE (?1 IS NULL OR project = ?1) ORDER BY created DESC, n DESC LIMIT ?2`,
      project ?? null,
      limit || -1,
    )
  return {
    list,
    find: (prefix, project) => {
      if (prefix === 'last') return list({ project, limit: 1 })
      const start = prefix.toUpperCase()
      return db.all<Known>(
        `SELECT ${columns} FROM study WHERE id >= ?1 AND id < ?1 || char(1114111)
         ORDER BY created DESC, n DESC LIMIT 20`,
        start,
      )
    },
  }
}
