// The studies that this machine knows: found by project, by a prefix of the id, or as the newest.
import type { DatabaseConnection } from '../connection.ts'
import type { JournalLine } from './journal.ts'
import { readLinesOfKinds } from './lines.ts'

interface KnownStudy {
  id: string
  /** Real path of the workspace it was started in. */
  project: string | null
  created: number
  /** Number of lines of its log that are here. */
  lines: number
}

export interface StudyIndex {
  /** Newest first; without `project` those of all projects. */
  list(query: { project?: string; limit?: number }): KnownStudy[]
  /**
   * Studies whose id begins with `prefix`, newest first, at most 20; `last` is the newest one of `project`.
   */
  find(prefix: string, project: string): KnownStudy[]
  /** The lines of these kinds alone, in order: without the texts of evidence a log is read in no time. */
  lines(id: string, kinds: readonly string[]): JournalLine[]
  /** When the newest line was written, in ms since 1970; undefined for a study without lines. */
  updated(id: string): number | undefined
}

const columns = 'id, project, created, last AS lines'

export function createStudyIndex(db: DatabaseConnection): StudyIndex {
  const list: StudyIndex['list'] = ({ project, limit }) =>
    db.all<KnownStudy>(
      `SELECT ${columns} FROM study WHERE (?1 IS NULL OR project = ?1) ORDER BY created DESC, n ` +
        'DESC LIMIT ?2',
      project ?? null,
      limit || -1,
    )
  return {
    list,
    find: (prefix, project) => {
      if (prefix === 'last') return list({ project, limit: 1 })
      const start = prefix.toUpperCase()
      return db.all<KnownStudy>(
        `SELECT ${columns} FROM study WHERE id >= ?1 AND id < ?1 || char(1114111)
         ORDER BY created DESC, n DESC LIMIT 20`,
        start,
      )
    },
    lines: (id, kinds) => readLinesOfKinds(db, id, kinds),
    updated: (id) =>
      db.get<{ ts: number }>(
        `SELECT ts FROM study_line WHERE study = (SELECT n FROM study WHERE id = ?)
         ORDER BY seq DESC LIMIT 1`,
        id,
      )?.ts,
  }
}
